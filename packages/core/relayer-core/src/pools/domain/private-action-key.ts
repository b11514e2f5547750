import { createHash } from 'node:crypto';
import type { Felt, Felts } from '@sotto/kernel';
import type { Requested } from '@sotto/submission-core';

/** Kind of attempts that send private actions. */
export const PRIVATE_ACTION_KIND = 'private_action';

/**
 * Returns the ledger key of private actions: `chain|pool|hash`. The hash is the SHA-256 of the
 * storage addresses that the actions write once. The pool applies only one transaction with this
 * set. The base block of the proof has no influence, so a newer proof has the same key.
 * @param addresses sorted and without repetition
 */
export function privateActionKey(chainId: Felt, pool: Felt, addresses: readonly Felt[]): string {
  return `${chainId}|${pool}|${sha256(addresses.join('|'))}`;
}

/**
 * Returns the effect and the fingerprint of private actions. The effect covers the actions. Only
 * the fingerprint covers the facts: a newer proof of the same actions has the same effect.
 */
export function privateActionRequested(pool: Felt, actionFelts: Felts, facts: Felts): Requested {
  const effect = sha256(pool, actionFelts.toBytes());
  return { effect, fingerprint: sha256(effect, facts.toBytes()) };
}

function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
