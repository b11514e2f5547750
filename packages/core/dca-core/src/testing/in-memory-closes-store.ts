import type { DomainError } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { DailyClose, SourcedClose } from '../domain/daily-close.js';
import type { ClosesStore } from '../ports/closes-store.port.js';

export class InMemoryClosesStore implements ClosesStore {
  readonly #closes = new Map<string, SourcedClose>();
  #failure: DomainError | null = null;

  /** Makes every call reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new LedgerUnavailable()): void {
    this.#failure = failure;
  }

  async closes(fromDay: number, toDay: number): Promise<readonly SourcedClose[]> {
    if (this.#failure !== null) throw this.#failure;
    return [...this.#closes.values()]
      .filter(({ day }) => day >= fromDay && day <= toDay)
      .toSorted((a, b) => a.day - b.day || (a.source < b.source ? -1 : 1));
  }

  async keep(source: string, closes: readonly DailyClose[]): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    for (const { day, usdE8 } of closes)
      this.#closes.set(`${day}|${source}`, { source, day, usdE8 });
  }
}
