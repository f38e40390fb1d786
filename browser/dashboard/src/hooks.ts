import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Model } from './model';

/** Renders again when the model has changed, at most once a frame. */
export function useModel(model: Model): void {
  const [, draw] = useState(0);
  // Subscribe right after rendering. A plain effect runs only in the next frame, and a change of the model until then
  // would be shown only with its next change, which may never come.
  useLayoutEffect(() => {
    let frame = 0;
    const stop = model.subscribe(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw((count) => count + 1);
      });
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [model]);
}

/** Counts the changes between dark and light: canvases must be drawn again after each. */
export function useTheme(): number {
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const changed = () => setTheme((count) => count + 1);
    dark.addEventListener('change', changed);
    return () => dark.removeEventListener('change', changed);
  }, []);
  return theme;
}

/** An element and its size. */
export function useSize<E extends HTMLElement>(): [{ current: E | null }, { width: number; height: number }] {
  const element = useRef<E>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = watched;
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return [element, size];
}

/** Scrolls an element into view when something is chosen: on a narrow screen it may be below the visible part. */
export function useInSight<E extends HTMLElement>(chosen: string | number | undefined): { current: E | null } {
  const element = useRef<E>(null);
  useEffect(() => {
    if (chosen !== undefined) element.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return element;
}

/** The latest answer for this key, or the reason why there is none. */
export function useAsked<T>(
  key: string | undefined,
  ask: (key: string) => Promise<T>,
): { value?: T; problem?: string } {
  const [answer, setAnswer] = useState<{ key?: string; value?: T; problem?: string }>({});
  useEffect(() => {
    if (key === undefined) return;
    let wanted = true;
    ask(key).then(
      (value) => wanted && setAnswer({ key, value }),
      (error: Error) => wanted && setAnswer({ key, problem: error.message }),
    );
    return () => {
      wanted = false;
    };
  }, [key]);
  return answer.key === key ? answer : {};
}
