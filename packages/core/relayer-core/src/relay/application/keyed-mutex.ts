/**
 * Lets work under one name happen one after another, in the order in which it was asked for. A
 * failure ends its own turn only.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = after(this.#last.get(name), work);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}

async function after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
  await Promise.allSettled([before]);
  return work();
}
