// A list of which one item can be chosen, by mouse or arrow keys.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

/**
 * Keeps the focus on the list whatever is clicked in it, because its options come and go. Calls back with the index of
 * the clicked option, if there is one.
 */
export function choose(event: MouseEvent, onChosen: (place: number) => void): void {
  const option = (event.target as Element).closest('[role=option]');
  if (!option || event.button !== 0) return;
  event.preventDefault();
  (event.currentTarget as HTMLElement).focus({ preventScroll: true });
  const place = option.getAttribute('aria-posinset');
  onChosen(place ? Number(place) - 1 : [...(option.parentElement?.children ?? [])].indexOf(option));
}

interface Props<T> {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  selected: string | undefined;
  onSelect: (key: string) => void;
  view: (item: T) => ComponentChildren;
}

export function Picker<T>({ label, items, keyOf, selected, onSelect, view }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const place = items.findIndex((item) => keyOf(item) === selected);
  const go = (to: number) => {
    const item = items[Math.min(items.length - 1, Math.max(0, to))];
    if (!item) return;
    onSelect(keyOf(item));
    list.current?.children[items.indexOf(item)]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const places: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1 };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  const id = (key: string) => `${label}-${key}`.replace(/\s/g, '-');
  return (
    <div
      class="picker"
      role="listbox"
      ref={list}
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={selected && place >= 0 ? id(selected) : undefined}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => choose(event, (place) => go(place))}
    >
      {items.map((item) => {
        const key = keyOf(item);
        return (
          <div key={key} id={id(key)} class="item" role="option" aria-selected={key === selected} tabIndex={-1}>
            {view(item)}
          </div>
        );
      })}
    </div>
  );
}
