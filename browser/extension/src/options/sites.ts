// The section about sites: two groups with a switch each, and two lists of hosts.

import { hook } from '../popup/elements';
import { loadSettings, type Settings, updateSettings } from '../shared/settings';
import { markInvalid, tell } from './message';
import { addTo, checkNew, hostsOf, type List, removeFrom } from './site-lists';

export function bindSites(): (settings: Settings) => void {
  const parts = [
    bindGroup('local'),
    bindGroup('all'),
    bindList('sites', 'listed-sites', 'add-site'),
    bindList('blockedSites', 'blocked-sites', 'block-site'),
  ];
  return (settings) => {
    for (const part of parts) part(settings);
  };
}

function bindGroup(group: 'local' | 'all'): (settings: Settings) => void {
  const toggle = hook<HTMLInputElement>(`site-${group}`);
  toggle.addEventListener('change', () => {
    const on = toggle.checked;
    updateSettings((now) => {
      const others = now.sites.filter((site) => site !== group);
      return { sites: on ? [group, ...others] : others };
    }).catch(() => {
      toggle.checked = !on;
    });
  });
  return (settings) => {
    toggle.checked = settings.sites.includes(group);
    toggle.disabled = false;
  };
}

function bindList(list: List, listHook: string, formHook: string): (settings: Settings) => void {
  const items = hook<HTMLUListElement>(listHook);
  const form = hook<HTMLFormElement>(formHook);
  const input = form.elements.namedItem('site') as HTMLInputElement;
  const message = hook(`${formHook}-message`);

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const checked = checkNew(list, input.value, await loadSettings());
    markInvalid(input, 'problem' in checked);
    if ('problem' in checked) {
      tell(message, checked.problem, false);
      input.focus();
      return;
    }
    await updateSettings((now) => addTo(list, checked.site, now)).then(
      () => {
        input.value = '';
        tell(message, `${checked.site} ${list === 'sites' ? 'is captured from now on.' : 'is never captured.'}`, true);
      },
      () => tell(message, 'Could not save.', false),
    );
  });
  input.addEventListener('input', () => {
    markInvalid(input, false);
    tell(message, '');
  });

  const remove = async (site: string, index: number) => {
    await updateSettings((now) => removeFrom(list, site, now));
    render(hostsOf(list, await loadSettings()));
    // The focused button is gone, so focus the one that took its place.
    const buttons = items.querySelectorAll('button');
    (buttons[Math.min(index, buttons.length - 1)] ?? input).focus();
    tell(message, `${site} was removed.`);
  };

  let drawn = '';
  const render = (sites: readonly string[]) => {
    // Rendering an unchanged list again would take the focus from its buttons.
    const wanted = JSON.stringify(sites);
    if (wanted === drawn) return;
    drawn = wanted;
    items.replaceChildren(
      ...sites.map((site, index) => {
        const item = document.createElement('li');
        const name = document.createElement('code');
        name.textContent = site;
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'button quiet';
        button.textContent = 'Remove';
        button.setAttribute('aria-label', `Remove ${site}`);
        button.dataset.site = site;
        button.addEventListener('click', () => {
          remove(site, index).catch(() => tell(message, 'Could not save.', false));
        });
        item.append(name, button);
        return item;
      }),
    );
  };
  return (settings) => render(hostsOf(list, settings));
}
