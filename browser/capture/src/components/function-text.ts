// Identifies a function in the script that defines it, by the beginning and the length of its text.

const HEAD_CHARS = 400;
const toText = Function.prototype.toString;

export function functionText(value: unknown): [head: string, length: number] | undefined {
  if (typeof value !== 'function') return undefined;
  try {
    const text = Reflect.apply(toText, value, []) as string;
    return text.includes('[native code]') && text.length < 100 ? undefined : [text.slice(0, HEAD_CHARS), text.length];
  } catch {
    return undefined;
  }
}
