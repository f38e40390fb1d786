// Sends reports about tests to the server one after the other, so that a test that needs no answer does not wait.

export class Reports {
  private last: Promise<unknown> = Promise.resolve();

  /** Settles when this report and all before it have been sent. It never rejects. */
  add(report: () => Promise<unknown>): Promise<void> {
    const done = this.last.then(report).then(
      () => {},
      () => {},
    );
    this.last = done;
    return done;
  }

  async drain(): Promise<void> {
    await this.last;
  }
}
