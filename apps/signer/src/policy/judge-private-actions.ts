import { APPLY_ACTIONS_ENTRYPOINT } from '@sotto/relayer-core';
import type { ExecutedCall } from '../execute-calldata.js';
import { Refused } from '../refusal.js';
import { selectorOf, type Policy } from './policy.js';

const APPLY_ACTIONS = selectorOf(APPLY_ACTIONS_ENTRYPOINT);
const APPROVE = selectorOf('approve');
const OUTSIDE_EXECUTION = selectorOf('execute_from_outside_v2');
const APPROVE_FELTS = 3;

/** Part of the policy that limits private actions. */
export type PrivateActionTerms = Pick<Policy, 'privateActions' | 'accounts'>;

/** Calls before private actions that the policy permits. */
export interface CallsBeforeActions {
  /** STRK that the transaction approves to the pool, in fri; 0 for none. */
  readonly poolFeeFri: bigint;
  /** True if an account outside of the policy executes calls first. */
  readonly hasOutsideExecution: boolean;
}

/** Returns true if the transaction may have proof facts: its last call applies private actions. */
export function appliesActions(calls: readonly ExecutedCall[]): boolean {
  return calls.at(-1)?.selector === APPLY_ACTIONS;
}

/**
 * Checks the calls before private actions on the policy's pool: first at most one outside execution
 * of another account, then at most one approval of the pool's fee. Returns null if the transaction
 * does not apply private actions on this pool.
 * @throws Refused
 */
export function judgeCallsBeforeActions(
  calls: readonly ExecutedCall[],
  { privateActions: terms, accounts }: PrivateActionTerms,
): CallsBeforeActions | null {
  if (terms === undefined || !appliesActions(calls) || calls.at(-1)?.to !== terms.pool) return null;
  const before = calls.slice(0, -1);
  const approval = before.at(-1);
  const isApproval = approval?.to === terms.token && approval.selector === APPROVE;
  const [outside, ...others] = isApproval ? before.slice(0, -1) : before;
  if (others.length > 0) throw new Refused('SIGNER_REFUSED_CALL');
  if (outside !== undefined) {
    // The user's account can't be listed. So contracts that hold own tokens are excluded instead.
    const own = [terms.pool, terms.token, ...accounts.map(({ address }) => address)];
    const isPermitted =
      terms.outsideExecutions &&
      outside.selector === OUTSIDE_EXECUTION &&
      !own.includes(outside.to);
    if (!isPermitted) throw new Refused('SIGNER_REFUSED_CALL');
  }
  return {
    poolFeeFri: isApproval ? feeOf(approval, terms) : 0n,
    hasOutsideExecution: outside !== undefined,
  };
}

function feeOf(
  { calldata }: ExecutedCall,
  { pool, most }: NonNullable<Policy['privateActions']>,
): bigint {
  const isToPool =
    calldata.length === APPROVE_FELTS && calldata.feltAt(0) === pool && calldata.at(1) > 0n;
  if (!isToPool) throw new Refused('SIGNER_REFUSED_ARGUMENT');
  if (calldata.at(2) !== 0n || calldata.at(1) > most) throw new Refused('SIGNER_REFUSED_AMOUNT');
  return calldata.at(1);
}
