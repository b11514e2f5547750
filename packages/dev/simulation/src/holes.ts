import type { Felt } from '@sotto/kernel';
import { isForeign, type Tx } from './chain/transaction.js';

/** State of network and ledger after everything has settled. */
interface Settled {
  readonly waiting: readonly Tx[];
  /** Returns the first nonce that the chain has not consumed. */
  freeNonce(account: Felt): bigint;
  /** Returns the nonce of the lane's next call; null if the ledger does not know the account. */
  nextNonce(account: Felt): bigint | null;
  /** Returns true if the provider rejected it, possibly falsely. */
  wasRefused(hash: Felt): boolean;
}

/**
 * Returns transactions that wait above a nonce that none of our transactions will consume.
 *
 * - A transaction that a lying provider rejected and kept is excluded: the ledger cannot know of
 *   it.
 * - A foreign transaction may wait for the lane's next calls while the ledger assigns the nonces
 *   below it. Above a nonce that the ledger has passed, it counts.
 */
export function aboveHoles(settled: Settled): readonly Tx[] {
  return settled.waiting.filter((tx) => {
    const { account, nonce, hash } = tx;
    const free = settled.freeNonce(account);
    if (nonce <= free || settled.wasRefused(hash)) return false;
    return !isForeign(tx) || (settled.nextNonce(account) ?? 0n) > free;
  });
}
