/** Callers that ask for the same work while it runs share it. Nothing is remembered after it. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** The running work of this name, else `start`s it. A failure rejects for all who share it. */
  run(name: string, start: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = start().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
