import { DomainError } from '@sotto/kernel';
import type { DailyClose, DailyCloses } from '../ports/daily-closes.port.js';

/** Error of a fake source that is unavailable. */
export class FakeClosesDown extends DomainError {
  readonly code = 'FAKE_CLOSES_DOWN';
  readonly kind = 'unavailable';
}

/** Fake source whose closes are set by a test. */
export class FakeDailyCloses implements DailyCloses {
  readonly #closes = new Map<number, bigint>();
  readonly #requested: (readonly [number, number])[] = [];
  #failure: DomainError | null = null;

  constructor(readonly name: string) {}

  /** First and last day of each request so far, in order. */
  get requested(): readonly (readonly [number, number])[] {
    return this.#requested;
  }

  /** Sets the close of a day. With null, the source does not know the day. */
  set(day: number, usdE8: bigint | null): void {
    if (usdE8 === null) this.#closes.delete(day);
    else this.#closes.set(day, usdE8);
  }

  /** Makes every request reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new FakeClosesDown('no closes')): void {
    this.#failure = failure;
  }

  async closes(fromDay: number, toDay: number): Promise<readonly DailyClose[]> {
    this.#requested.push([fromDay, toDay]);
    if (this.#failure !== null) throw this.#failure;
    return [...this.#closes]
      .filter(([day]) => day >= fromDay && day <= toDay)
      .toSorted(([a], [b]) => a - b)
      .map(([day, usdE8]) => ({ day, usdE8 }));
  }
}
