// The switches. Their rows are built from the table of settings and replace each `<template data-switches="place">`.
// Each row shows one setting and writes it; it is disabled until the setting is known.

import { ROWS, type Row, type Switch } from 'gasoline-capture/settings.gen';
import { type Settings, updateSettings } from '../shared/settings';

/** Returns a function that shows the settings. `failed` is called when one could not be saved. */
export function bindSwitches(failed: () => void): (settings: Settings) => void {
  const inputs = new Map<HTMLInputElement, Switch>();
  for (const template of document.querySelectorAll<HTMLTemplateElement>('template[data-switches]')) {
    const rows = ROWS.filter(({ place }) => place === template.dataset.switches);
    template.replaceWith(
      ...rows.map((row) => {
        const { element, input } = buildRow(row);
        inputs.set(input, row.key);
        return element;
      }),
    );
  }
  for (const [input, key] of inputs) {
    input.addEventListener('change', () => {
      const change: Partial<Settings> = { [key]: input.checked };
      updateSettings(() => change).catch(() => {
        input.checked = !input.checked;
        failed();
      });
    });
  }
  return (settings) => {
    for (const [input, key] of inputs) {
      input.checked = settings[key];
      input.disabled = false;
    }
  };
}

function buildRow({ key, label, cost, note }: Row): { element: HTMLElement; input: HTMLInputElement } {
  const element = document.createElement('div');
  element.className = 'row';
  const title = document.createElement('label');
  title.htmlFor = key;
  title.textContent = label;
  const texts = [describe('cost', `${key}-cost`, cost), ...(note ? [describe('note', `${key}-note`, note)] : [])];
  const input = document.createElement('input');
  input.type = 'checkbox';
  input.setAttribute('role', 'switch');
  input.className = 'switch';
  input.id = key;
  input.dataset.setting = key;
  input.setAttribute('aria-describedby', texts.map(({ id }) => id).join(' '));
  input.disabled = true;
  const [costText, ...noteText] = texts;
  element.append(title, costText as HTMLElement, input, ...noteText);
  return { element, input };
}

/** A paragraph. Text between backticks becomes code. */
function describe(className: string, id: string, text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.className = className;
  paragraph.id = id;
  for (const [index, part] of text.split('`').entries()) {
    if (index % 2 === 0) paragraph.append(part);
    else paragraph.appendChild(document.createElement('code')).append(part);
  }
  return paragraph;
}
