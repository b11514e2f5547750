import { FakeUpstreamDown } from './fake-upstream-down.js';

/**
 * What the fakes have in common: they fail or stay silent when a test says so, and count how often
 * they were asked.
 */
export abstract class ScriptedSource {
  #error: Error | null = null;
  #silent = false;
  #waiting: (() => void)[] = [];
  #reads = 0;

  /** How often it was asked. */
  get reads(): number {
    return this.#reads;
  }

  /** Every read rejects with it until null is given. */
  fail(error: Error | null = new FakeUpstreamDown('it is down')): void {
    this.#error = error;
  }

  /** Reads do not end until {@link answer}. */
  silence(): void {
    this.#silent = true;
  }

  /** Ends a silence: reads that wait go on. */
  answer(): void {
    this.#silent = false;
    for (const goOn of this.#waiting) goOn();
    this.#waiting = [];
  }

  /** A read as the test wants it. */
  protected async read<T>(value: () => T): Promise<T> {
    this.#reads += 1;
    if (this.#silent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#error !== null) throw this.#error;
    return value();
  }
}
