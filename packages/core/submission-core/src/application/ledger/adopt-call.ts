import type { ChainEvidence } from '../../domain/chain-evidence.js';
import type { NewSubmission } from '../../domain/events.js';
import type { AccountTransaction } from '../../ports/chain.port.js';
import type { MachineDependencies } from '../dependencies.js';

type AdoptParts = Pick<MachineDependencies, 'ledger' | 'failpoint' | 'calls' | 'changes'>;

/**
 * Writes the outcome of a transaction on chain that the domain recognises as one of its calls (row
 * Q2 of the transition table). Returns false if nothing was written.
 */
export async function adopt(
  deps: AdoptParts,
  { sender, nonce, consumer, ...sent }: AccountTransaction,
  evidence: ChainEvidence,
): Promise<boolean> {
  const submission = recognised(deps, sent);
  if (submission === null) return false;
  const { applied, attempt } = await deps.ledger.apply({
    type: 'adopt',
    lane: sender,
    nonce,
    submission,
    consumer,
    evidence,
  });
  if (!applied) return false;
  deps.failpoint('adopted');
  if (attempt !== null) deps.changes.changed(attempt.id);
  return true;
}

/**
 * True if this service sent the transaction, with this ledger or another ledger. This is the case
 * for calls of the domain and for no-ops.
 */
export function isOurs(
  deps: Pick<AdoptParts, 'calls'>,
  { calls }: Pick<AccountTransaction, 'calls'>,
): boolean {
  return calls?.length === 0 || recognised(deps, { calls }) !== null;
}

/**
 * Returns the submission whose call the transaction executed. The transaction was signed with our
 * account's key. Null if the transaction is not a call of the domain.
 */
function recognised(
  { calls: reader }: Pick<AdoptParts, 'calls'>,
  { calls }: Pick<AccountTransaction, 'calls'>,
): Omit<NewSubmission, 'deadlineAfterMs'> | null {
  const [call, ...more] = calls ?? [];
  return call === undefined || more.length > 0
    ? null
    : reader.submissionOf(call.target, call.calldata);
}
