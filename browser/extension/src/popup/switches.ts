// The switches: each `<input data-setting>` shows one setting and writes it. It is disabled until there is one to show.

import { type Settings, updateSettings } from '../shared/settings';

type Switchable = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

/** Returns what shows the settings; `failed` is told when one could not be kept. */
export function bindSwitches(failed: () => void): (settings: Settings) => void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[data-setting]')];
  const nameOf = (input: HTMLInputElement) => input.dataset.setting as Switchable;
  for (const input of inputs) {
    input.addEventListener('change', () => {
      const change: Partial<Settings> = { [nameOf(input)]: input.checked };
      updateSettings(() => change).catch(() => {
        input.checked = !input.checked;
        failed();
      });
    });
  }
  return (settings) => {
    for (const input of inputs) {
      input.checked = settings[nameOf(input)];
      input.disabled = false;
    }
  };
}
