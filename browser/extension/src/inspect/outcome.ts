// The outcome of a call in the page. Chrome drops what an injected function throws, so errors are returned, too.

export type Outcome<Value> = { value: Value } | { error: { name: string; message: string } };

export async function outcomeOf<Value>(work: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { error: { name, message } };
  }
}
