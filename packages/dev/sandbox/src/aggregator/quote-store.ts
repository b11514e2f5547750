import { randomUUID } from 'node:crypto';
import type { Offer } from './market.js';
import type { Pair } from './trading-floor.js';

/** Offer with an id. Until the quote expires, a client can request the calls of its swap. */
export interface Quote extends Offer, Pair {
  readonly id: string;
  readonly sellAmount: bigint;
  /** Account that will swap; undefined if the client did not send one. */
  readonly taker: bigint | undefined;
  readonly expiresAtMs: number;
}

/**
 * Maximum number of stored quotes. Above this number, the oldest quotes are evicted. No test needs
 * more.
 */
const CAPACITY = 1_000;

/** Store of all quotes, by id. */
export class QuoteStore {
  readonly #quotes = new Map<string, Quote>();

  constructor(private readonly nowMs: () => number) {}

  /** Stores a quote under a new id. */
  add(terms: Omit<Quote, 'id' | 'expiresAtMs'>, lifetimeMs: number): Quote {
    const quote = { ...terms, id: randomUUID(), expiresAtMs: this.nowMs() + lifetimeMs };
    const oldest = this.#quotes.keys().next();
    if (this.#quotes.size >= CAPACITY && oldest.done !== true) this.#quotes.delete(oldest.value);
    this.#quotes.set(quote.id, quote);
    return quote;
  }

  /** Returns a quote; undefined if the id is unknown or the quote has expired. */
  find(id: string): Quote | undefined {
    const quote = this.#quotes.get(id);
    return quote !== undefined && this.nowMs() < quote.expiresAtMs ? quote : undefined;
  }

  clear(): void {
    this.#quotes.clear();
  }
}
