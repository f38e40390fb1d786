// The lowest console level that is captured.

import { type CaptureLevel, type Settings, updateSettings } from '../shared/settings';
import { hook } from './elements';

export function bindLevel(failed: () => void): (settings: Settings) => void {
  const group = hook<HTMLFieldSetElement>('capture-level');
  const choices = [...group.querySelectorAll<HTMLInputElement>('input')];
  group.addEventListener('change', () => {
    const chosen = choices.find((choice) => choice.checked);
    if (chosen) updateSettings(() => ({ captureLevel: chosen.value as CaptureLevel })).catch(failed);
  });
  return (settings) => {
    for (const choice of choices) choice.checked = choice.value === settings.captureLevel;
    group.disabled = !settings.captureConsole;
  };
}
