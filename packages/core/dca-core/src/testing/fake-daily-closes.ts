import { DomainError } from '@sotto/kernel';
import type { DailyClose, DailyCloses } from '../ports/daily-closes.port.js';

/** The source is unavailable. */
export class FakeClosesDown extends DomainError {
  readonly code = 'FAKE_CLOSES_DOWN';
  readonly kind = 'unavailable';
}

/** Source with closes that a test sets. */
export class FakeDailyCloses implements DailyCloses {
  readonly #closes = new Map<number, bigint>();
  readonly #asked: (readonly [number, number])[] = [];
  #failure: DomainError | null = null;

  constructor(readonly name: string) {}

  /** First and last day of every request, in order. */
  get asked(): readonly (readonly [number, number])[] {
    return this.#asked;
  }

  /** Sets a close; null for a day that the source does not know. */
  set(day: number, usdE8: bigint | null): void {
    if (usdE8 === null) this.#closes.delete(day);
    else this.#closes.set(day, usdE8);
  }

  /** Makes every request reject with this error; null ends that. */
  fail(failure: DomainError | null = new FakeClosesDown('no closes')): void {
    this.#failure = failure;
  }

  async closes(fromDay: number, toDay: number): Promise<readonly DailyClose[]> {
    this.#asked.push([fromDay, toDay]);
    if (this.#failure !== null) throw this.#failure;
    return [...this.#closes]
      .filter(([day]) => day >= fromDay && day <= toDay)
      .toSorted(([a], [b]) => a - b)
      .map(([day, usdE8]) => ({ day, usdE8 }));
  }
}
