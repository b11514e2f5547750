import type { NewSubmission } from '../domain/events.js';
import type { AccountTransaction } from '../ports/chain.port.js';
import type { LaneDependencies } from './lane-context.js';

type AdoptParts = Pick<LaneDependencies, 'ledger' | 'reached' | 'calls'>;

/** `key_in_flight`: an attempt of the key is on its way; the outcome can be adopted when it has ended. */
export type Adoption = 'adopted' | 'key_in_flight' | 'nothing_to_write';

/** Q2: writes the outcome of a call that the domain recognises as one of its own. */
export async function adopt(on: AdoptParts, { sender, nonce, consumer, ...sent }: AccountTransaction): Promise<Adoption> {
  const submission = recognised(on, sent);
  if (submission === null) return 'nothing_to_write';
  const recorded = await on.ledger.record({ type: 'adopt', lane: sender, nonce, submission, consumer });
  if (!recorded.written) return recorded.because === 'already_live' ? 'key_in_flight' : 'nothing_to_write';
  on.reached('adopted');
  return 'adopted';
}

/** The submission that a transaction of our account carried; null for anything else that its key may have signed. */
export function recognised(
  { calls: reader }: Pick<AdoptParts, 'calls'>,
  { calls }: Pick<AccountTransaction, 'calls'>,
): Omit<NewSubmission, 'deadlineAfterMs'> | null {
  const [call, ...more] = calls ?? [];
  return call === undefined || more.length > 0 ? null : reader.submissionOf(call.target, call.calldata);
}
