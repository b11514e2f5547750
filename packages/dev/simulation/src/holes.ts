import type { Felt } from '@sotto/kernel';
import { isForeign, type Tx } from './chain/transaction.js';

/** What the network and the ledger show once everything has settled. */
interface Settled {
  readonly waiting: readonly Tx[];
  /** The first nonce that the chain has not consumed. */
  freeNonce(account: Felt): bigint;
  /** The nonce that the lane's next call takes; null where the ledger does not know the account. */
  nextNonce(account: Felt): bigint | null;
  /** The provider refused it, which may be a lie. */
  wasRefused(hash: Felt): boolean;
}

/**
 * What waits for a nonce that nothing of ours will consume. What a lying provider refused and keeps
 * is nothing that the ledger can know of. A stranger's waits for the lane's next calls, as long as
 * the ledger gives them the nonces below it: above a nonce that the ledger has passed, it waits in
 * front of a hole as well.
 */
export function aboveHoles(settled: Settled): readonly Tx[] {
  return settled.waiting.filter((tx) => {
    const { account, nonce, hash } = tx;
    const free = settled.freeNonce(account);
    if (nonce <= free || settled.wasRefused(hash)) return false;
    return !isForeign(tx) || (settled.nextNonce(account) ?? 0n) > free;
  });
}
