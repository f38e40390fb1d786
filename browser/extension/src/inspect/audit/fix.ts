// What to change, in one sentence for each rule.

import type { CheckResult, NodeResult, Result } from 'axe-core';
import { nearestReadable } from './contrast';

type Fixer = (node: NodeResult) => string | undefined;

const FIXES: Record<string, string | Fixer> = {
  'color-contrast': contrastFix,
  'color-contrast-enhanced': contrastFix,
  'image-alt': 'Add an alt attribute that says what the image shows, or alt="" if it only decorates.',
  'input-image-alt': 'Add an alt attribute that says what the button does.',
  'area-alt': 'Add an alt attribute that says where the area leads.',
  'svg-img-alt': 'Add a <title> inside the <svg>, or an aria-label to it.',
  'role-img-alt': 'Add an aria-label that says what the image shows.',
  'object-alt': 'Add an aria-label or title that says what the object is.',
  label: labelFix,
  'select-name': labelFix,
  'aria-input-field-name': 'Add an aria-label, or aria-labelledby with the id of the text that names the field.',
  'aria-toggle-field-name': 'Add an aria-label, or aria-labelledby with the id of the text that names the control.',
  'button-name': 'Put text into the button, or add an aria-label that says what it does.',
  'input-button-name': 'Add a value attribute that says what the button does.',
  'aria-command-name': 'Put text into the element, or add an aria-label that says what it does.',
  'link-name': 'Put text into the link (or alt text into its image), or add an aria-label that says where it leads.',
  'link-in-text-block': 'Underline the link, or give it a contrast of 3:1 to the text around it.',
  'summary-name': 'Put text into the <summary>.',
  'html-has-lang': 'Add a lang attribute to <html>, as in <html lang="en">.',
  'html-lang-valid': 'Set lang on <html> to a valid language, as in lang="en".',
  'valid-lang': 'Set lang to a valid language, as in lang="en".',
  'document-title': 'Add a <title> to <head> that says what the page is.',
  'heading-order': headingFix,
  'empty-heading': 'Put text into the heading, or remove it.',
  'page-has-heading-one': 'Add one <h1> that says what the page is about.',
  'duplicate-id': duplicateFix,
  'duplicate-id-active': duplicateFix,
  'duplicate-id-aria': duplicateFix,
  'frame-title': 'Add a title attribute to the frame that says what is in it.',
  'frame-title-unique': 'Give each frame its own title.',
  'landmark-one-main': 'Put the main content into one <main>.',
  'landmark-unique': 'Give each landmark of the same kind its own aria-label.',
  'landmark-no-duplicate-main': 'Leave one <main> only.',
  'landmark-no-duplicate-banner': 'Leave one <header> at the top level only.',
  'landmark-no-duplicate-contentinfo': 'Leave one <footer> at the top level only.',
  region: 'Put the content into a landmark: <main>, <nav>, <header>, <footer> or <aside>.',
  bypass: 'Add a link at the top that skips to <main>, or put the content into landmarks.',
  'skip-link': 'Let the link lead to an element that exists and can take the focus.',
  list: 'Leave only <li>, <script> and <template> directly inside the list.',
  listitem: 'Put the <li> directly into a <ul> or <ol>.',
  'definition-list': 'Leave only <dt> and <dd> (or <div> around them) directly inside the <dl>.',
  dlitem: 'Put the <dt> or <dd> into a <dl>.',
  'meta-viewport': 'Remove user-scalable=no and maximum-scale from the viewport, so that people can zoom.',
  'meta-refresh': 'Remove the <meta http-equiv="refresh">.',
  tabindex: 'Set tabindex to 0 or -1 and let the order in the document say what comes first.',
  'nested-interactive': 'Take the inner control out of the outer one: what is inside cannot be reached.',
  'scrollable-region-focusable': 'Add tabindex="0" to the region that scrolls.',
  'aria-hidden-focus': 'Take what is inside out of the tab order (tabindex="-1" or disabled), or remove aria-hidden.',
  'aria-hidden-body': 'Remove aria-hidden from <body>.',
  'target-size': 'Make the target at least 24 by 24 pixels, or leave that much room around it.',
  'video-caption': 'Add a <track kind="captions"> to the video.',
  'autocomplete-valid': 'Set autocomplete to a value from the HTML standard, as in autocomplete="email".',
  'aria-required-attr': withData('Add the attribute', 'that the role requires'),
  'aria-allowed-attr': withData('Remove', 'which the role does not allow'),
  'aria-prohibited-attr': 'Remove the ARIA attribute, or give the element a role that allows it.',
  'aria-valid-attr': withData('Correct the name of', 'which is not an ARIA attribute'),
  'aria-valid-attr-value': withData('Correct the value of', ''),
  'aria-roles': withData('Set the role to one that exists; the current value is', ''),
  'aria-allowed-role': withData('Remove the role', 'from this element, or use another element'),
  'aria-required-children': 'Put elements with the roles that this role requires into it, or remove the role.',
  'aria-required-parent': withData('Put the element into one with the role', ''),
};

export function fixFor(rule: Result, node: NodeResult): string {
  const known = FIXES[rule.id];
  const fix = typeof known === 'function' ? known(node) : known;
  return fix ?? `${rule.help.replace(/\.$/, '')}.`;
}

function contrastFix(node: NodeResult): string | undefined {
  const data = checks(node).find(({ id }) => id.startsWith('color-contrast'))?.data;
  const { fgColor, bgColor, expectedContrastRatio: ratio } = data ?? {};
  if (!fgColor || !bgColor || !ratio) return undefined;
  const colour = nearestReadable(fgColor, bgColor, Number.parseFloat(ratio));
  return colour
    ? `Change foreground color to at least ${colour} for ${ratio} contrast ratio`
    : `Change the background color: no foreground reaches ${ratio} contrast ratio on ${bgColor}`;
}

function labelFix(node: NodeResult): string {
  const id = attributeIn(node, 'id');
  return id
    ? `Add <label for="${id}"> with the field's name, or an aria-label.`
    : 'Put the field into a <label> with its name, or add an aria-label.';
}

function headingFix(node: NodeResult): string {
  const level = Number(/^<h([1-6])/i.exec(node.html)?.[1] ?? 0);
  return level > 1
    ? `Use a heading one level below the one before it: <h${level}> skips a level.`
    : 'Let each heading be at most one level below the one before it.';
}

function duplicateFix(node: NodeResult): string {
  const id = checks(node).find(({ data }) => typeof data === 'string')?.data ?? attributeIn(node, 'id');
  return id ? `Give each element its own id: "${id}" is used more than once.` : 'Give each element its own id.';
}

/** Names what the check found, where axe reports it. */
function withData(before: string, after: string): Fixer {
  return (node) => {
    const found = checks(node).flatMap(({ data }) => named(data));
    return found.length > 0 ? `${before} ${found.join(', ')}${after && ` ${after}`}.` : undefined;
  };
}

function named(data: unknown): string[] {
  if (typeof data === 'string') return [data];
  if (Array.isArray(data)) return data.filter((each) => typeof each === 'string');
  const { values, needsReview } = (data ?? {}) as { values?: unknown; needsReview?: unknown };
  return [...named(values ?? []), ...named(needsReview ?? [])];
}

function checks(node: NodeResult): CheckResult[] {
  return [...node.any, ...node.all, ...node.none];
}

function attributeIn({ html }: NodeResult, name: string): string | undefined {
  return new RegExp(`^<[^>]*\\s${name}="([^"]+)"`).exec(html)?.[1];
}
