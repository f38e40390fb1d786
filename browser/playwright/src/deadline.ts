// Our work around a test has a deadline, whatever the server does, so that no test's result depends on it.

/** Waits for the work or until the time is up. In the latter case it returns `undefined`, and the work continues. */
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
