import { systemClock } from '@sotto/kernel';

export interface LoadRate {
  readonly perSecond: number;
  /**
   * No more are begun while so many have not ended.
   * @default any number: load that does not slow down when the service does
   */
  readonly mostUnderway?: number;
}

/** Begins things at a steady rate, whatever becomes of those before. */
export class OpenLoad {
  readonly #underway = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #begun = 0;
  #running: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  /** @param begin one of them, numbered from 0; a rejection is thrown by {@link end} */
  constructor(private readonly begin: (index: number) => Promise<void>) {}

  /** How many were begun. */
  get begun(): number {
    return this.#begun;
  }

  /** How many have not ended. */
  get underway(): number {
    return this.#underway.size;
  }

  start({ perSecond, mostUnderway = Number.POSITIVE_INFINITY }: LoadRate): void {
    this.#running = this.#run(1_000 / perSecond, mostUnderway);
  }

  /**
   * Begins no more; resolves when all that were begun have ended.
   * @throws what the first of them that failed threw
   */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await Promise.all(this.#underway);
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #run(everyMs: number, mostUnderway: number): Promise<void> {
    let nextMs = systemClock.monotonicMs();
    while (!this.#ending.signal.aborted) {
      // What a busy machine missed is made up for at once, so that the rate holds; what had no room
      // is not.
      for (; nextMs <= systemClock.monotonicMs(); nextMs += everyMs)
        if (this.#underway.size < mostUnderway) this.#beginOne();
      await systemClock.sleep(Math.max(1, nextMs - systemClock.monotonicMs()), this.#ending.signal);
    }
  }

  #beginOne(): void {
    const beginning: Promise<void> = this.begin(this.#begun)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#underway.delete(beginning));
    this.#begun += 1;
    this.#underway.add(beginning);
  }
}
