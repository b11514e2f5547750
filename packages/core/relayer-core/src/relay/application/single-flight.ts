/**
 * Lets equal work that is asked for while it runs be done once. Nothing is remembered after it has
 * ended, failures included.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /**
   * The running work of this name, else `start`s it. Everybody who shares it gets the same value or
   * the same error.
   */
  run(name: string, start: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = start().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
