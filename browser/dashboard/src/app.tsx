// The page's frame: the header, and a tab for each section.

import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Announcer } from './announcer';
import { Header } from './header';
import { useModel } from './hooks';
import type { Model } from './model';
import { Calls } from './sections/calls';
import { Errors } from './sections/errors';
import { Performance } from './sections/performance';
import { Security } from './sections/security';
import { Sockets } from './sections/sockets';
import { Timeline } from './timeline';

export interface SectionProps {
  model: Model;
}

interface Section {
  id: string;
  title: string;
  view: ComponentType<SectionProps>;
  count?: (model: Model) => number;
  isBad?: boolean;
}

const SECTIONS: Section[] = [
  { id: 'timeline', title: 'Timeline', view: Timeline },
  {
    id: 'errors',
    title: 'Errors',
    view: Errors,
    count: ({ errors }) => errors.filter(({ noise }) => !noise).length,
    isBad: true,
  },
  { id: 'sockets', title: 'Sockets', view: Sockets, count: ({ sockets }) => sockets.open.length },
  {
    id: 'performance',
    title: 'Performance',
    view: Performance,
    count: ({ performance }) => performance.reduce((sum, page) => sum + (page.regressions?.length ?? 0), 0),
    isBad: true,
  },
  {
    id: 'security',
    title: 'Security',
    view: Security,
    count: ({ security }) => (security ? security.summary.critical + security.summary.warning : 0),
    isBad: true,
  },
  { id: 'calls', title: 'AI clients', view: Calls, count: ({ calls }) => calls.length },
];

const sectionOf = (hash: string) => SECTIONS.find(({ id }) => `#${id}` === hash) ?? (SECTIONS[0] as Section);

export function App({ model }: SectionProps) {
  useModel(model);
  const [section, setSection] = useState(() => sectionOf(location.hash));
  useEffect(() => {
    const follow = () => setSection(sectionOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  useLayoutEffect(() => {
    document.getElementById('panel')?.scrollTo(0, 0);
  }, [section]);
  // The tabs may be wider than the screen; they are widest once they show counts.
  const isKnown = model.mark !== '';
  useEffect(() => {
    document.getElementById(`tab-${section.id}`)?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [section, isKnown]);

  const show = (next: Section) => {
    history.replaceState(null, '', `#${next.id}`);
    setSection(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const place = SECTIONS.indexOf(section);
    const last = SECTIONS.length - 1;
    const steps: Record<string, number> = {
      ArrowRight: place === last ? 0 : place + 1,
      ArrowLeft: place === 0 ? last : place - 1,
      Home: 0,
      End: last,
    };
    const next = SECTIONS[steps[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    show(next);
    document.getElementById(`tab-${next.id}`)?.focus();
  };

  const View = section.view;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('panel')?.focus()}>
        Skip to content
      </button>
      <Header model={model} />
      <nav aria-label="Sections">
        <div class="tabs" role="tablist" aria-label="Sections" onKeyDown={onKeyDown}>
          {SECTIONS.map((each) => {
            const count = each.count?.(model) ?? 0;
            const isShown = each === section;
            return (
              <button
                key={each.id}
                type="button"
                role="tab"
                id={`tab-${each.id}`}
                data-test={`tab-${each.id}`}
                aria-selected={isShown}
                aria-controls="panel"
                tabIndex={isShown ? 0 : -1}
                onClick={() => show(each)}
              >
                {each.title}
                {count > 0 && <span class={each.isBad ? 'count bad' : 'count'}>{count}</span>}
              </button>
            );
          })}
        </div>
      </nav>
      <main>
        <div id="panel" role="tabpanel" aria-labelledby={`tab-${section.id}`} tabIndex={-1} data-test="panel">
          <View model={model} />
        </div>
      </main>
      <Announcer model={model} />
    </>
  );
}
