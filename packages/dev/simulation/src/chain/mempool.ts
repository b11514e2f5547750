import type { Felt } from '@sotto/kernel';
import { NONCE_REFUSED, type SendAnswer } from '@sotto/submission-core';
import { FLOOR_FRI, type Chain } from './chain.js';
import type { Tx } from './transaction.js';

export interface MempoolOptions {
  /** So far above the account's nonce is one taken: 0 at a node without a pool of its own. */
  readonly nonceGap: bigint;
  readonly lifetimeMs: number;
  readonly nowMs: () => number;
}

const unclear = (code: string): SendAnswer => ({ kind: 'unclear', code });
const refused = (code: string, cause: 'price' | 'funds' | 'call' | 'account'): SendAnswer => ({
  kind: 'refused',
  code,
  cause,
});

/** What waits for a block, and the checks at the network's door. */
export class Mempool {
  readonly #waiting = new Map<Felt, Map<bigint, { readonly tx: Tx; readonly sinceMs: number }>>();
  /** Calls that no node takes, by key. */
  readonly rejected = new Set<number>();
  /** No room: nothing new is taken. */
  isFull = false;

  constructor(
    private readonly chain: Chain,
    private readonly options: MempoolOptions,
  ) {}

  /** By what the door says; `taken` is in the pool afterwards, or was there before. */
  add(tx: Tx): SendAnswer {
    const { nonce, balanceFri } = this.chain.account(tx.account);
    const before = this.#of(tx.account).get(tx.nonce)?.tx;
    if (before?.hash === tx.hash) return { kind: 'taken' };
    if (this.chain.broken.has(tx.account)) {
      return refused(
        this.chain.broken.get(tx.account) === 'WRONG_KEY' ? 'VALIDATION_FAILURE' : 'NOT_AN_ACCOUNT',
        'account',
      );
    }
    if (tx.call !== null && this.rejected.has(tx.call.key))
      return refused('CALL_NOT_TAKEN', 'call');
    if (tx.nonce < nonce || tx.nonce > nonce + this.options.nonceGap) return unclear(NONCE_REFUSED);
    if (tx.l2PriceFri < FLOOR_FRI || tx.l2PriceFri < this.chain.l2PriceFri)
      return refused('INSUFFICIENT_RESOURCES_FOR_VALIDATE', 'price');
    if (balanceFri < tx.worstCaseFri) return refused('INSUFFICIENT_ACCOUNT_BALANCE', 'funds');
    if (before !== undefined && !isOutbid(before, tx))
      return unclear('REPLACEMENT_TRANSACTION_UNDERPRICED');
    if (before === undefined && this.isFull) return unclear('TRANSACTION_LIMIT_EXCEEDED');
    this.#of(tx.account).set(tx.nonce, { tx, sinceMs: this.options.nowMs() });
    return { kind: 'taken' };
  }

  has({ account, nonce, hash }: Tx): boolean {
    return this.#of(account).get(nonce)?.tx.hash === hash;
  }

  all(): Tx[] {
    return [...this.#waiting.values()].flatMap((byNonce) =>
      [...byNonce.values()].map(({ tx }) => tx),
    );
  }

  drop(tx: Tx): void {
    if (this.has(tx)) this.#of(tx.account).delete(tx.nonce);
  }

  /**
   * Executes what can be, each with this probability; drops what the chain has passed and what is
   * too old.
   */
  build(isChosen: (tx: Tx) => boolean): Tx[] {
    const executed: Tx[] = [];
    const nowMs = this.options.nowMs();
    for (const [account, byNonce] of this.#waiting) {
      for (const [nonce, { sinceMs }] of byNonce) {
        if (nonce < this.chain.account(account).nonce || nowMs - sinceMs > this.options.lifetimeMs)
          byNonce.delete(nonce);
      }
      for (
        let next = this.#next(account);
        next !== undefined && isChosen(next);
        next = this.#next(account)
      ) {
        const outcome = this.chain.execute(next);
        if (outcome === 'price') break;
        byNonce.delete(next.nonce);
        if (typeof outcome === 'string') break;
        executed.push(next);
      }
    }
    return executed;
  }

  #next(account: Felt): Tx | undefined {
    return this.#of(account).get(this.chain.account(account).nonce)?.tx;
  }

  #of(account: Felt) {
    let byNonce = this.#waiting.get(account);
    if (byNonce === undefined) {
      byNonce = new Map();
      this.#waiting.set(account, byNonce);
    }
    return byNonce;
  }
}

/** Both price and tip a tenth higher; a tip of 0 may stay. */
function isOutbid(before: Tx, by: Tx): boolean {
  const isTipHigher = before.tipFri === 0n || by.tipFri * 10n >= before.tipFri * 11n;
  return by.l2PriceFri * 10n >= before.l2PriceFri * 11n && isTipHigher;
}
