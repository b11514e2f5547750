import { systemClock } from '@sotto/kernel';

export interface LoadRate {
  readonly perSecond: number;
  /**
   * Maximum number of pieces of work in progress. While this number is in progress, due starts are
   * skipped.
   * @default unlimited: the load does not slow down with the service
   */
  readonly mostUnderway?: number;
}

/** Starts pieces of work at a constant rate, even if earlier pieces have not ended. */
export class OpenLoad {
  readonly #underway = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #begun = 0;
  #running: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  /**
   * @param begin starts one piece of work, numbered from 0. If it rejects, {@link end} throws its
   *   error
   */
  constructor(private readonly begin: (index: number) => Promise<void>) {}

  /** Number of pieces of work started so far. */
  get begun(): number {
    return this.#begun;
  }

  /** Number of pieces of work in progress. */
  get underway(): number {
    return this.#underway.size;
  }

  start({ perSecond, mostUnderway = Number.POSITIVE_INFINITY }: LoadRate): void {
    this.#running = this.#run(1_000 / perSecond, mostUnderway);
  }

  /**
   * Stops the load. Resolves when all started work has ended.
   * @throws the first error of the work
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
      // On a busy machine, starts that are late are made at once, so that the average rate stays
      // constant. Starts that would exceed the maximum are skipped.
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
