import type { Felt } from '@sotto/kernel';
import type { Obstacle, VerdictPart } from '../domain/verdict.js';

/** Rejection by a signer for an account, without a later signature for it. */
export interface SignerRefusal {
  readonly account: Felt;
  readonly reason: string;
  readonly ageMs: number;
}

/**
 * Waiting work retries within seconds. So an older rejection belongs to work that no longer waits,
 * and does not show whether the signer would sign now.
 */
const CURRENT_MS = 300_000;

/**
 * The signer signs transactions of the accounts. Rejections for all relay accounts block
 * withdrawals; rejections for some are a warning. Callers can use up the signer's budget, so
 * neither makes the process unready.
 * @param relaying accounts that send withdrawals
 */
export function signerRefusalsParts(
  refusals: () => readonly SignerRefusal[],
  relaying: readonly Felt[],
): readonly VerdictPart[] {
  const look = (scope: 'pools' | 'warning') => async (): Promise<readonly Obstacle[]> => {
    const current = refusals().filter(({ ageMs }) => ageMs < CURRENT_MS);
    const [first] = current;
    if (first === undefined) return [];
    const refused = new Set(current.map(({ account }) => account));
    const blocks = relaying.length > 0 && relaying.every((account) => refused.has(account));
    if (blocks !== (scope === 'pools')) return [];
    const because = [...new Set(current.map(({ reason }) => reason))].toSorted().join(', ');
    return [{ code: 'SIGNER_REFUSED', details: { because, accounts: refused.size } }];
  };
  return [
    { component: 'signer_policy', scope: 'pools', failure: 'LOOK_FAILED', look: look('pools') },
    {
      component: 'signer_policy_of_one',
      scope: 'warning',
      failure: 'LOOK_FAILED',
      look: look('warning'),
    },
  ];
}
