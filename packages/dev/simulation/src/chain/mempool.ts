import type { SendAnswer } from '@sotto/submission-core';
import { FakeMempool, refused } from '@sotto/submission-core/testing';
import type { Chain } from './chain.js';
import type { Tx } from './transaction.js';

export interface MempoolOptions {
  /**
   * Maximum distance of an accepted nonce above the account's nonce; 0 for a node without its own
   * mempool.
   */
  readonly nonceGap: bigint;
  readonly lifetimeMs: number;
  readonly nowMs: () => number;
}

/** Mempool whose transactions expire. Nodes reject transactions of some accounts and keys. */
export class Mempool extends FakeMempool<Tx> {
  readonly #chain: Chain;
  readonly #options: MempoolOptions;
  /** Keys whose calls every node rejects. */
  readonly rejected = new Set<number>();

  constructor(chain: Chain, options: MempoolOptions) {
    const { nonceGap, nowMs } = options;
    super(chain, { nonceGap, nowMs, rejectionOf: (tx) => this.#rejectionOf(tx) });
    this.#chain = chain;
    this.#options = options;
  }

  /**
   * Executes the executable transactions for which `isChosen` returns true. Drops transactions that
   * have expired, and transactions whose nonce the chain has consumed.
   */
  build(isChosen: (tx: Tx) => boolean): Tx[] {
    const executed: Tx[] = [];
    const { lifetimeMs, nowMs } = this.#options;
    for (const [account, byNonce] of this.waiting) {
      const nextNonce = (): bigint => this.#chain.account(account).nonce;
      for (const [nonce, { sinceMs }] of byNonce)
        if (nonce < nextNonce() || nowMs() - sinceMs > lifetimeMs) byNonce.delete(nonce);
      for (
        let next = byNonce.get(nextNonce())?.tx;
        next !== undefined && isChosen(next);
        next = byNonce.get(nextNonce())?.tx
      ) {
        const outcome = this.#chain.execute(next);
        if (outcome === 'price') break;
        byNonce.delete(next.nonce);
        if (typeof outcome === 'string') break;
        executed.push(next);
      }
    }
    return executed;
  }

  #rejectionOf({ account, call }: Tx): SendAnswer | null {
    const problem = this.#chain.broken.get(account);
    if (problem !== undefined)
      return refused(problem === 'WRONG_KEY' ? 'VALIDATION_FAILURE' : 'NOT_AN_ACCOUNT', 'account');
    const isRejected = call !== null && this.rejected.has(call.key);
    return isRejected ? refused('CALL_NOT_TAKEN', 'call') : null;
  }
}
