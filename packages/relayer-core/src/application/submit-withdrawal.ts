import { createHash } from 'node:crypto';
import type { Felt, Felts } from '@sotto/kernel';
import { isLive, type Attempt, type ResourceLimits, type SubmissionAnswer, type Submissions } from '@sotto/submission-core';
import { WITHDRAW_ENTRYPOINT } from '../domain/withdrawal.js';
import { SubmissionExpired, SubmissionRefused } from '../errors.js';
import type { Evidence, WithdrawalRequest } from './admission/evidence.js';
import type { RungReport } from './admission/ladder.js';
import { conflictWith } from './admission/rungs.js';
import type { WithdrawalAdmission } from './admission/withdrawal-admission.js';
import { found, valueOf } from './finding.js';
import { SingleFlight } from './single-flight.js';

/** Spec, Limits: withdrawal gas bounds. */
export const WITHDRAWAL_LIMITS: ResourceLimits = { l2Gas: 1_200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };

export interface WithdrawalInput {
  readonly poolAddress: Felt;
  /** Proof calldata, with or without its length felt. */
  readonly calldata: Felts;
}

export interface SubmitWithdrawalInput extends WithdrawalInput {
  /** How long to wait for an execution before the answer is "undecided". */
  readonly waitMs: number;
  /** Ends the wait, never the submission. */
  readonly signal?: AbortSignal;
}

export interface SubmittedWithdrawal {
  readonly submissionId: string;
  readonly answer: Exclude<SubmissionAnswer, { readonly kind: 'ended' }>;
}

export interface DryRunReport {
  /** True when every rung passed: the same request, sent now, would be accepted. */
  readonly admissible: boolean;
  /** All rungs in ladder order. */
  readonly rungs: readonly RungReport[];
}

/** Relays a user's withdrawal proof, so that the user's own account never appears on chain. */
export class SubmitWithdrawal {
  readonly #admissions = new SingleFlight<string>();

  /** @param limits of the transaction's resources; the policy's, not an estimate. */
  constructor(
    private readonly admission: WithdrawalAdmission,
    private readonly submissions: Submissions,
    private readonly limits: ResourceLimits = WITHDRAWAL_LIMITS,
  ) {}

  /**
   * The answer to a withdrawal: executed (with or without a revert) or undecided. A request whose equal (same pool and public inputs) is
   * on its way or has succeeded gets that one's answer, without gas, pairing check or reads.
   * @throws the fault of the first rung that fails, or of the read that kept it from being judged; nothing was sent then.
   * @throws SubmissionRefused, SubmissionExpired when it was accepted but nothing of it is or can be on chain.
   */
  async execute({ poolAddress, calldata, waitMs, signal }: SubmitWithdrawalInput): Promise<SubmittedWithdrawal> {
    const read = this.admission.read(poolAddress, calldata);
    this.admission.ladder.refuse(read);
    const request = valueOf(read.request);
    // One proof may fail where another of the same statement holds, so only those share an admission that are equal in every felt.
    const sameInEveryFelt = `${request.key}|${createHash('sha256').update(request.calldata.toBytes()).digest('hex')}`;
    const submissionId = await this.#admissions.run(sameInEveryFelt, () => this.#admit(request, read));
    const answer = await this.submissions.waitFor(submissionId, waitMs, signal);
    if (answer.kind === 'ended') throw endOf(answer);
    return { submissionId, answer };
  }

  /** Judges a withdrawal by every rung that can be judged; writes and sends nothing. @throws a fault of the ledger only. */
  async dryRun({ poolAddress, calldata }: WithdrawalInput): Promise<DryRunReport> {
    const read = this.admission.read(poolAddress, calldata);
    const evidence = read.request?.known === true ? await this.#look(read, read.request.value) : read;
    const rungs = this.admission.ladder.report(evidence);
    return { admissible: rungs.every(({ status }) => status === 'passed'), rungs };
  }

  async #look(read: Evidence, { key }: WithdrawalRequest): Promise<Evidence> {
    return this.admission.examine({ ...read, last: found(await this.submissions.last(key)) });
  }

  /** The id of the attempt that carries this request: one that exists already, or a new one. */
  async #admit(request: WithdrawalRequest, read: Evidence): Promise<string> {
    const last = await this.submissions.last(request.key);
    if (last !== null && carries(last, request)) return last.id;
    const inLedger: Evidence = { ...read, last: found(last) };
    this.admission.ladder.refuse(inLedger);

    const evidence = await this.admission.examine(inLedger);
    this.admission.ladder.admit(evidence);
    const cost = valueOf(evidence.cost);
    const { kind, attempt } = await this.submissions.submit({
      key: request.key,
      fingerprint: request.fingerprint,
      role: 'relay',
      target: { to: request.pool.address, entrypoint: WITHDRAW_ENTRYPOINT },
      calldata: request.calldata,
      limits: this.limits,
      terms: {
        feeAmount: request.statement.fee,
        feeToken: request.pool.token.address,
        costFri: cost.fri,
        strkUsdE8: cost.strkUsdE8,
        feeTokenUsdE8: cost.feeTokenUsdE8,
      },
    });
    switch (kind) {
      case 'accepted':
      case 'same':
        return attempt.id;
      case 'conflict':
        throw conflictWith(attempt) ?? new Error('an attempt that has ended holds no key');
    }
  }
}

function carries(attempt: Attempt, request: WithdrawalRequest): boolean {
  return attempt.fingerprint === request.fingerprint && (isLive(attempt.state) || attempt.state === 'succeeded');
}

function endOf({ state, code }: Extract<SubmissionAnswer, { readonly kind: 'ended' }>): SubmissionRefused | SubmissionExpired {
  const details = { refusal: code };
  return state === 'refused' ? new SubmissionRefused({ details }) : new SubmissionExpired({ details });
}
