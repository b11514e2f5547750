/** Shares running work among concurrent callers that pass the same name. Results are not cached. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /**
   * Returns the promise of the work that is already running under this name; if there is none,
   * calls `start`. A failure rejects for all callers that share the work.
   */
  run(name: string, start: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = start().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
