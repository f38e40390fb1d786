// What we do around a test ends in time, whatever the server does: no test's result depends on it.

/** Waits for the work, or until the time is over; then nothing is returned, and the work goes on by itself. */
export async function within<T>(millis: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), millis);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
