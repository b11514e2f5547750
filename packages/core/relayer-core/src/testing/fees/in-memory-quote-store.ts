import type { DomainError } from '@sotto/kernel';
import type { FeeQuote } from '../../fees/domain/fee-quote.js';
import type { ExpiredBefore, QuoteStore, Redemption } from '../../fees/ports/quote-store.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

interface Entry {
  readonly quote: FeeQuote;
  /** Key of the withdrawal that has used the quote; null if the quote is unused. */
  readonly servedKey: string | null;
}

/** Quote store in memory, which is lost when the process ends. */
export class InMemoryQuoteStore implements QuoteStore {
  readonly #entries = new Map<string, Entry>();
  #failure: DomainError | null = null;

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  /** True if a withdrawal has used the quote. */
  isUsed(id: string): boolean {
    return typeof this.#entries.get(id)?.servedKey === 'string';
  }

  /** Writes an unused quote. Replaces a quote with the same id. */
  put(quote: FeeQuote): void {
    this.#entries.set(quote.id, { quote, servedKey: null });
  }

  async add(quote: FeeQuote): Promise<void> {
    this.#answer();
    if (this.#entries.has(quote.id)) throw new Error('a quote with this id is already stored');
    this.put(quote);
  }

  async find(id: string): Promise<FeeQuote | null> {
    this.#answer();
    return this.#entries.get(id)?.quote ?? null;
  }

  async redeem(id: string, key: string, nowMs: number): Promise<Redemption> {
    this.#answer();
    const entry = this.#entries.get(id);
    if (entry === undefined) return { kind: 'unknown' };
    const { quote, servedKey } = entry;
    if (servedKey !== null)
      return servedKey === key ? { kind: 'redeemed', quote } : { kind: 'used' };
    if (nowMs >= quote.expiresAtMs) return { kind: 'expired' };
    this.#entries.set(id, { quote, servedKey: key });
    return { kind: 'redeemed', quote };
  }

  async forget({ usedMs, unusedMs }: ExpiredBefore): Promise<number> {
    this.#answer();
    const entries = [...this.#entries.values()];
    const over = entries.filter(
      ({ quote, servedKey }) => quote.expiresAtMs < (servedKey === null ? unusedMs : usedMs),
    );
    for (const { quote } of over) this.#entries.delete(quote.id);
    return over.length;
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
