import type { Felt } from '@sotto/kernel';
import { NONCE_REFUSED, type SendAnswer } from '../ports/chain.port.js';
import type { FakeBlocks } from './fake-blocks.js';
import type { FakeTransaction } from './fake-transaction.js';

export interface FakeMempoolOptions<T> {
  /**
   * Maximum distance of a nonce above the account's nonce; 0 at a node without a mempool. @default
   * no limit
   */
  readonly nonceGap?: bigint;
  readonly nowMs: () => number;
  /**
   * Returns the refusal of a transaction that is rejected because of its account or call; otherwise
   * null.
   */
  readonly rejectionOf: (tx: T) => SendAnswer | null;
}

interface Waiting<T> {
  readonly tx: T;
  readonly sinceMs: number;
}

/** Mempool: transactions that wait for a block, and the network's checks of new transactions. */
export class FakeMempool<T extends FakeTransaction = FakeTransaction> {
  protected readonly waiting = new Map<Felt, Map<bigint, Waiting<T>>>();
  /** True if only replacements are accepted, and no other new transactions. */
  isFull = false;

  constructor(
    private readonly chain: FakeBlocks<T>,
    private readonly options: FakeMempoolOptions<T>,
  ) {}

  /** Adds a transaction to the mempool if it passes the checks; then the response is `taken`. */
  add(tx: T): SendAnswer {
    const { nonceGap, rejectionOf } = this.options;
    const { nonce, balanceFri } = this.chain.account(tx.account);
    const before = this.#of(tx.account).get(tx.nonce)?.tx;
    if (before?.hash === tx.hash) return { kind: 'taken' };
    const rejection = rejectionOf(tx);
    if (rejection !== null) return rejection;
    const isAboveGap = nonceGap !== undefined && tx.nonce > nonce + nonceGap;
    if (tx.nonce < nonce || isAboveGap) return unclear(NONCE_REFUSED);
    if (tx.l2PriceFri < this.chain.l2PriceFri)
      return refused('INSUFFICIENT_RESOURCES_FOR_VALIDATE', 'price');
    if (balanceFri < tx.worstCaseFri) return refused('INSUFFICIENT_ACCOUNT_BALANCE', 'funds');
    if (before !== undefined && !outbids(tx, before))
      return unclear('REPLACEMENT_TRANSACTION_UNDERPRICED');
    if (before === undefined && this.isFull) return unclear('TRANSACTION_LIMIT_EXCEEDED');
    this.put(tx);
    return { kind: 'taken' };
  }

  /** Adds a transaction to the mempool without checks. */
  put(tx: T): void {
    this.#of(tx.account).set(tx.nonce, { tx, sinceMs: this.options.nowMs() });
  }

  has({ account, nonce, hash }: T): boolean {
    return this.#of(account).get(nonce)?.tx.hash === hash;
  }

  all(): T[] {
    return [...this.waiting.values()].flatMap((byNonce) =>
      [...byNonce.values()].map(({ tx }) => tx),
    );
  }

  drop(tx: T): void {
    if (this.has(tx)) this.#of(tx.account).delete(tx.nonce);
  }

  #of(account: Felt): Map<bigint, Waiting<T>> {
    let byNonce = this.waiting.get(account);
    if (byNonce === undefined) {
      byNonce = new Map();
      this.waiting.set(account, byNonce);
    }
    return byNonce;
  }
}

export function unclear(code: string): SendAnswer {
  return { kind: 'unclear', code };
}

export function refused(code: string, cause: 'price' | 'funds' | 'call' | 'account'): SendAnswer {
  return { kind: 'refused', code, cause };
}

/**
 * Returns true if the L2 price and the tip are both at least a tenth higher; a tip of 0 may remain
 * 0.
 */
function outbids(by: FakeTransaction, before: FakeTransaction): boolean {
  return by.l2PriceFri * 10n >= before.l2PriceFri * 11n && by.tipFri * 10n >= before.tipFri * 11n;
}
