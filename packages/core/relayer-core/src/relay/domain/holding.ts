import { isLive, type Attempt } from '@sotto/submission-core';

/** True if the attempt blocks its key for requests with another effect. */
export function holdsKey({ state }: Pick<Attempt, 'state'>): boolean {
  return isLive(state) || state === 'succeeded';
}

/**
 * True if the attempt's proof may be replaced by a newer proof. The row may be stale; the ledger
 * makes the final decision.
 */
export function mayTakeNewer({ state, readmit }: Pick<Attempt, 'state' | 'readmit'>): boolean {
  return state === 'accepted' && !readmit;
}
