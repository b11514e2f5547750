import type { Clock } from '@sotto/kernel';
import type { Attempt, Ledger, Revalidator } from '@sotto/submission-core';
import { FeeTooLow, PoolNotSupported } from '../../errors.js';
import { effectsOf, readApplyActions } from '../../pools/domain/apply-actions-call.js';
import { PrivacyPoolPaused, PrivateActionsApplied } from '../domain/private-action-errors.js';
import { PRIVATE_ACTION_KIND } from '../../pools/domain/private-action-key.js';
import { unpackPayload } from '../../pools/domain/private-action-payload.js';
import { ProofExpired, ProofTooYoung, readProofFacts } from '../domain/proof-facts.js';
import type { PrivateActionAdmission } from './private-action-admission.js';

/**
 * For this many milliseconds after its admission, an attempt that never had a nonce is not checked
 * again.
 */
const FRESH_MS = 5_000;
/** Seconds after which an attempt is judged again whose pool is paused. */
const RETRY_SECONDS = 10;

/**
 * Rejects private actions that would revert and cost gas. Such actions write a storage address that
 * is no longer zero, or the pool's class or fee has changed, or the base block was undone.
 * While the pool is paused or the base block is too young, the attempt waits.
 * Attempts of other kinds are never rejected.
 */
export class PrivateActionRevalidator implements Revalidator {
  constructor(
    private readonly admission: Pick<PrivateActionAdmission, 'poolOf' | 'policy'>,
    private readonly ledger: Pick<Ledger, 'calldata'>,
    private readonly clock: Pick<Clock, 'nowMs'>,
  ) {}

  async rejectionOf(attempt: Attempt): Promise<string | null> {
    const { id, kind, state, readmit, acceptedAtMs, target } = attempt;
    if (kind !== PRIVATE_ACTION_KIND || state !== 'accepted') return null;
    const ageMs = this.clock.nowMs() - acceptedAtMs;
    if (!readmit && ageMs >= 0 && ageMs < FRESH_MS) return null;
    const packed = await this.ledger.calldata(id);
    const payload = packed === null ? null : unpackPayload(packed);
    if (payload === null) throw new Error('calldata of live private actions is missing');
    const { pools, feeAddress } = this.admission.policy;
    const pool = pools.find(({ address }) => address === target.to);
    if (pool === undefined) return PoolNotSupported.code;
    const call = readApplyActions(payload.calldata);
    const facts = readProofFacts(payload.facts);
    const effects = effectsOf(call.actions, feeAddress);
    const chain = await this.admission.poolOf({ pool, facts, call, effects });
    if (chain.taken.length > 0) return PrivateActionsApplied.code;
    if (chain.isPaused) throw new PrivacyPoolPaused({ retryAfterSeconds: RETRY_SECONDS });
    if (chain.feeFri > (payload.poolFee?.amountFri ?? 0n)) return FeeTooLow.code;
    // The machine itself judges the last block, with a smaller margin.
    const rejection = chain.rejections.find(({ code }) => code !== ProofExpired.code);
    // After a rollback, a few blocks make the base block old enough again.
    if (rejection instanceof ProofTooYoung) throw rejection;
    return rejection?.code ?? null;
  }
}
