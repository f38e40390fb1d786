// The frames of a stack in V8's format.

export interface Frame {
  /** The function's name, if it has one: `Details`, `Details.useEffect`, `async Details.load`. */
  name: string;
  /** The script's address, with its query. */
  url: string;
  line: number;
  column: number;
}

const FRAMES = 20;

export function framesOf(stack: string): Frame[] {
  const frames: Frame[] = [];
  for (const text of stack.split('\n')) {
    const match = /^\s*at (?:(.*?) \()?([a-z][\w.+-]*:.*?):(\d+):(\d+)\)?$/i.exec(text);
    if (!match) continue;
    const [, name = '', url = '', line, column] = match;
    frames.push({ name, url, line: Number(line), column: Number(column) });
    if (frames.length >= FRAMES) break;
  }
  return frames;
}

export function isWebAddress(address: string): boolean {
  return /^https?:\/\//.test(address);
}

/** Library code, which does not contain the page's own components. */
export function isLibrary(url: string): boolean {
  return /\/node_modules\/|\/\.vite\/|\/@vite\//.test(url);
}
