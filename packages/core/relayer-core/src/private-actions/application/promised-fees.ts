import {
  TimedShares,
  widestOf,
  type Caller,
  type Clock,
  type Felt,
  type ShareLimits,
} from '@sotto/kernel';
import { TooManyQuotes } from '../../errors.js';
import type { PrivateActionFeeMode } from '../domain/private-action-cost.js';
import type { Promised } from './private-action-facts.js';

/** Time for which a promised fee is accepted, in milliseconds. */
export const PROMISE_MS = 60_000;

/** Pool, token and mode for which a fee is promised. */
export interface PromisedUse {
  readonly pool: Felt;
  readonly token: Felt;
  readonly feeMode: PrivateActionFeeMode;
}

interface Kept extends Promised {
  readonly name: string;
  readonly untilMs: number;
}

/**
 * Fees that were promised for a minute. A promise belongs to the network of its caller and covers
 * one transaction. Promises are stored in the memory of this process only. After a restart, and at
 * another instance, a fee has to cover the present cost.
 */
export class PromisedFees {
  readonly #shares: TimedShares;
  /** Promises by network and use, oldest first. */
  #kept: readonly Kept[] = [];

  constructor(
    limits: ShareLimits,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {
    this.#shares = new TimedShares(limits, PROMISE_MS, clock);
  }

  /** @throws TooManyQuotes if the caller has too many promises that were not used */
  give(caller: Caller, use: PromisedUse, { amount, costAmount }: Promised): void {
    if (this.#shares.take(caller) === null)
      throw new TooManyQuotes({ retryAfterSeconds: this.#shares.retryAfterSeconds });
    const nowMs = this.clock.monotonicMs();
    this.#kept = [
      ...this.#kept.filter(({ untilMs }) => untilMs > nowMs),
      { amount, costAmount, name: nameOf(caller, use), untilMs: nowMs + PROMISE_MS },
    ];
  }

  /** Returns the highest promised fee that this fee reaches; null if there is none. */
  find(caller: Caller, use: PromisedUse, offered: bigint): Promised | null {
    const name = nameOf(caller, use);
    const nowMs = this.clock.monotonicMs();
    return this.#kept
      .filter((kept) => kept.name === name && kept.untilMs > nowMs && kept.amount <= offered)
      .reduce<Kept | null>(
        (best, kept) => (best === null || kept.amount > best.amount ? kept : best),
        null,
      );
  }

  /** Uses the promise up. Returns false if another transaction has used it. */
  use(promised: Promised): boolean {
    const left = this.#kept.filter((kept) => kept !== promised);
    const isKept = left.length < this.#kept.length;
    this.#kept = left;
    return isKept;
  }
}

const nameOf = (caller: Caller, { pool, token, feeMode }: PromisedUse): string =>
  [widestOf(caller), pool, token, feeMode].join('|');
