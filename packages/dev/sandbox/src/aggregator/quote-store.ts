import { randomUUID } from 'node:crypto';
import type { Offer } from './market.js';
import type { Pair } from './trading-floor.js';

/** An offer that can be built until its time is over. */
export interface Quote extends Offer, Pair {
  readonly id: string;
  readonly sellAmount: bigint;
  /** Who is going to swap, when the client has said it. */
  readonly taker: bigint | undefined;
  readonly expiresAtMs: number;
}

/** More than any test has open; the oldest go first. */
const CAPACITY = 1_000;

/** The quotes that have been given. */
export class QuoteStore {
  readonly #quotes = new Map<string, Quote>();

  constructor(private readonly nowMs: () => number) {}

  /** Remembers a quote under a new id. */
  add(terms: Omit<Quote, 'id' | 'expiresAtMs'>, lifetimeMs: number): Quote {
    const quote = { ...terms, id: randomUUID(), expiresAtMs: this.nowMs() + lifetimeMs };
    const oldest = this.#quotes.keys().next();
    if (this.#quotes.size >= CAPACITY && oldest.done !== true) this.#quotes.delete(oldest.value);
    this.#quotes.set(quote.id, quote);
    return quote;
  }

  /** Undefined when the id is unknown or the quote's time is over. */
  find(id: string): Quote | undefined {
    const quote = this.#quotes.get(id);
    return quote !== undefined && this.nowMs() < quote.expiresAtMs ? quote : undefined;
  }

  clear(): void {
    this.#quotes.clear();
  }
}
