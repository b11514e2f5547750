import type { Felt } from '@sotto/kernel';
import { isForeign, type Tx } from './chain/transaction.js';

/** State of the network and the ledger after everything has settled. */
interface Settled {
  readonly waiting: readonly Tx[];
  /** Returns the first nonce that the chain has not consumed. */
  freeNonce(account: Felt): bigint;
  /**
   * Returns the nonce that the lane's next call gets; null if the ledger does not know the account.
   */
  nextNonce(account: Felt): bigint | null;
  /** Returns true if the provider rejected the transaction, truly or falsely. */
  wasRefused(hash: Felt): boolean;
}

/**
 * Returns transactions that wait above a nonce which none of our transactions will consume.
 *
 * - A transaction that a lying provider rejected but kept is not returned, because the ledger
 *   cannot know that it waits.
 * - A foreign transaction is not returned while the ledger will assign the free nonces below it
 *   next, because the lane's next calls then use these nonces. If the ledger has passed one of
 *   these nonces, the foreign transaction is returned.
 */
export function aboveHoles(settled: Settled): readonly Tx[] {
  return settled.waiting.filter((tx) => {
    const { account, nonce, hash } = tx;
    const free = settled.freeNonce(account);
    if (nonce <= free || settled.wasRefused(hash)) return false;
    return !isForeign(tx) || (settled.nextNonce(account) ?? 0n) > free;
  });
}
