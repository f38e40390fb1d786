/** Settles with the work, or rejects when its time is up. */
export async function before<T>(millis: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(millis, 0));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** For optional work: returns `otherwise` when it failed or took too long. */
export function orElse<T>(millis: number, work: Promise<T>, otherwise: T): Promise<T> {
  return before(millis, work, () => new Error('it took too long')).catch(() => otherwise);
}
