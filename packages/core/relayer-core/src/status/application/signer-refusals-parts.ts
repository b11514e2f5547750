import type { Felt } from '@sotto/kernel';
import type { Obstacle, VerdictPart } from '../domain/verdict.js';

/** A signer that would not sign for an account, and has not signed for it since. */
export interface SignerRefusal {
  readonly account: Felt;
  readonly reason: string;
  readonly ageMs: number;
}

/**
 * What waits asks again within seconds, so an older refusal is of something that waits no longer:
 * whether the signer would sign now is not known.
 */
const CURRENT_MS = 300_000;

/**
 * The signer signs transactions of the accounts. What it refuses to all that relay blocks
 * withdrawals; what it refuses to one is a warning. Callers can use its budget up, so neither makes
 * the process unready.
 * @param relaying accounts that carry withdrawals
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
