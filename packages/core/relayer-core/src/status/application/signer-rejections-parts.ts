import type { Felt } from '@sotto/kernel';
import type { Obstacle, VerdictPart } from '../domain/verdict.js';

/**
 * Account for which the signer rejected the last request for a signature. When the signer signs for
 * the account again, the entry is removed.
 */
export interface SignerRejection {
  readonly account: Felt;
  readonly reason: string;
  readonly ageMs: number;
}

/**
 * Milliseconds for which a rejection is treated as current. Waiting work retries within seconds, so
 * an older rejection belongs to work that no longer waits. An older rejection also does not show
 * whether the signer would sign now.
 */
const CURRENT_MS = 300_000;

/**
 * Checks that the signer signs transactions of the accounts. If it rejects requests for all relay
 * accounts, withdrawals are blocked; if for only some accounts, there is a warning. Rejections
 * never make the process unready, because callers can use up the signer's budget.
 * @param relaying accounts that send withdrawals
 */
export function signerRejectionsParts(
  rejections: () => readonly SignerRejection[],
  relaying: readonly Felt[],
): readonly VerdictPart[] {
  const poll = (scope: 'pools' | 'warning') => async (): Promise<readonly Obstacle[]> => {
    const current = rejections().filter(({ ageMs }) => ageMs < CURRENT_MS);
    const [first] = current;
    if (first === undefined) return [];
    const refused = new Set(current.map(({ account }) => account));
    const blocks = relaying.length > 0 && relaying.every((account) => refused.has(account));
    if (blocks !== (scope === 'pools')) return [];
    const because = [...new Set(current.map(({ reason }) => reason))].toSorted().join(', ');
    return [{ code: 'SIGNER_REFUSED', details: { because, accounts: refused.size } }];
  };
  return [
    { component: 'signer_policy', scope: 'pools', failure: 'LOOK_FAILED', poll: poll('pools') },
    {
      component: 'signer_policy_of_one',
      scope: 'warning',
      failure: 'LOOK_FAILED',
      poll: poll('warning'),
    },
  ];
}
