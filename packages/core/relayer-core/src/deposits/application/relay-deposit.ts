import { CODES_OF } from '@sotto/facts';
import {
  KeyedMutex,
  UNNAMED_CALLER,
  type Caller,
  type DomainError,
  type Felt,
  type Felts,
} from '@sotto/kernel';
import {
  isLive,
  usedFri,
  simulationReverted,
  type ResourceLimits,
  type LatestBlock,
} from '@sotto/submission-core';
import {
  DEPOSIT_ENTRYPOINT,
  commitmentRejection,
  depositCalldata,
  depositPurpose,
  depositorRejection,
  expiryRejection,
  signatureRejection,
  type DepositTerms,
} from '../../pools/domain/deposit.js';
import { servedPool } from '../../pools/domain/pool.js';
import { DepositExists, DepositInProgress, DepositSignatureInvalid } from '../../deposit-errors.js';
import {
  DepositAdmission,
  type AdmissionGuards,
  type AdmissionPorts,
  type DepositPolicy,
  type DepositRequest,
} from './deposit-admission.js';
import { DepositDryRuns, type DepositDryRunInput } from './deposit-dry-runs.js';
import type { DepositOutcome, DepositOutcomes } from './deposit-outcomes.js';
import type { ReadDeposit } from './deposit-funds.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { SubmissionWatch } from '../../relay/application/submission-watch.js';
import { assertNotRejected, type StandingAnswer } from '../../relay/application/submission-end.js';
import type { DryRunReport } from '../../withdrawals/application/submit-withdrawal.js';

/**
 * Resource bounds of a deposit. A deposit is estimated to use 0.8 M L2 gas (specification,
 * "Limits"). The L2 bound also suffices for a deposit that completes a batch, and for pools that
 * hash in Cairo, such as those of the development stack. Unused gas is not charged. The L1 bounds
 * equal those of withdrawals.
 */
export const DEPOSIT_LIMITS: ResourceLimits = {
  l2Gas: 200_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

const ROLE = 'relay';

export interface RelayDepositInput extends DepositTerms, SubmissionWatch {
  readonly poolAddress: Felt;
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
  /**
   * Maximum wait for the execution and the leaf, in milliseconds. If this time passes first, the
   * response is "undecided".
   */
  readonly waitMs: number;
  /** Signal that ends the wait of the caller. The submission continues. */
  readonly signal?: AbortSignal;
}

/**
 * Response for a deposit. The leaf is null if the response is undecided, and -1 if the deposit is
 * REVERTED.
 */
export interface RelayedDeposit extends DepositOutcome {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
}

/** Ports on which a deposit depends. */
interface DepositPorts extends AdmissionPorts {
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
}

/** Guards that are shared with other use cases and between deposits. */
interface DepositGuards extends AdmissionGuards {
  readonly guard: PoolCircuitBreaker;
}

/** Submission that sends a deposit. `began` is true if this request created the submission. */
interface CarriedDeposit {
  readonly submissionId: string;
  readonly began: boolean;
}

/**
 * Sends a user's deposit as the pool's relayer. Before this, verifies the user's consent to the
 * debit, which the pool itself does not check.
 */
export class RelayDeposit {
  /** Error codes of the API route for deposits. */
  static readonly throws = CODES_OF.deposit;

  readonly #turns = new KeyedMutex();
  readonly #admission: DepositAdmission;
  readonly #dryRuns: DepositDryRuns;

  constructor(
    private readonly ports: DepositPorts,
    private readonly guards: DepositGuards,
    private readonly outcomes: DepositOutcomes,
    private readonly policy: DepositPolicy & {
      /** @default {@link DEPOSIT_LIMITS} */
      readonly limits?: ResourceLimits;
    },
  ) {
    this.#admission = new DepositAdmission(ports, guards, policy);
    this.#dryRuns = new DepositDryRuns(this.#admission, ports, policy);
  }

  /**
   * Relays a deposit and returns its outcome: executed (with or without a revert) or undecided.
   *
   * If an equal deposit (same pool, commitment and depositor) is in flight or has succeeded, the
   * response is the outcome of that deposit, regardless of the signature. Otherwise the deposit
   * must pass these checks, in this sequence:
   *
   * - Layout and expiry are valid, and the commitment is not on chain.
   * - The pool has free leaves and accepts deposits, and the rations are not used up.
   * - The depositor's account is deployed.
   * - Balance and allowance cover this deposit and the depositor's deposits in flight.
   * - The account accepts the signature.
   * - The new leaf does not make the pool drop a root of an admitted withdrawal.
   * - A simulation succeeds.
   *
   * @throws the error of the first failed check, or of the read that a check needed; in these cases
   *   nothing was sent
   * @throws SubmissionRefused, SubmissionExpired if the attempt was accepted, but none of its
   *   transactions is on chain or can still be included
   */
  async execute({
    poolAddress,
    caller = UNNAMED_CALLER,
    waitMs,
    signal,
    beforeSubmission,
    onSubmission,
    ...terms
  }: RelayDepositInput): Promise<RelayedDeposit> {
    const served = servedPool(this.policy.pools, poolAddress);
    const { commitment, depositor, signature } = terms;
    refuse(
      commitmentRejection(commitment) ??
        depositorRejection(depositor) ??
        signatureRejection(signature),
    );
    const request = this.#admission.request<Felts>(served, terms, caller);
    const untilMs = this.ports.clock.monotonicMs() + waitMs;
    const { submissionId, began } =
      (await this.#admission.standing(request)) ?? (await this.#admit(request, beforeSubmission));
    await onSubmission?.(submissionId, began);
    const answer = assertNotRejected(
      await this.ports.submissions.waitFor(submissionId, waitMs, signal),
    );
    return { submissionId, ...(await this.outcomes.settle(answer, untilMs, signal)) };
  }

  /**
   * Runs every check whose facts can be read, and reports each. Writes, sends, reserves and rations
   * nothing. A failed allowance does not prevent the other checks, because a wallet runs this
   * before it requests an approval.
   * @throws DepositsRationed if the caller has named too many depositors within an hour;
   *   Overloaded; an error of the ledger
   */
  async dryRun(input: DepositDryRunInput): Promise<DryRunReport> {
    return this.#dryRuns.run(input);
  }

  async #admit(
    request: DepositRequest,
    beforeSubmission: SubmissionWatch['beforeSubmission'],
  ): Promise<CarriedDeposit> {
    const { submissions, latestBlock, clock } = this.ports;
    refuse(expiryRejection(request.terms.expiresAtMs, clock.nowMs()));
    refuse(await submissions.checkQueueCapacity(ROLE));
    const read = await this.#admission.read(request);
    await this.#judge(request, read);
    const isGiven = await this.#admission.isConsentGiven(request, read, async () =>
      this.#judge(request, read),
    );
    if (!isGiven) throw new DepositSignatureInvalid();
    // Check the roots last, because only a deposit with the owner's consent may reserve roots.
    await this.#admission.checkRoom(await this.#admission.evidence(request, read));
    const calldata = depositCalldata(request.terms);
    const simulation = await this.#admission.simulate(request, calldata);
    if (!simulation.ok) throw simulationReverted(simulation.reason);
    const { gas = this.policy.limits ?? DEPOSIT_LIMITS } = simulation;
    const costFri = usedFri(gas, await latestBlock.gasPrices());
    // Accept one deposit at a time, so that each deposit sees in the ledger the amounts and leaves
    // that earlier deposits reserved.
    return this.#turns.run('accept', () =>
      this.#accept(request, read, { calldata, costFri, beforeSubmission }),
    );
  }

  async #accept(
    request: DepositRequest,
    read: ReadDeposit,
    {
      calldata,
      costFri,
      beforeSubmission,
    }: {
      readonly calldata: Felts;
      readonly costFri: bigint;
      readonly beforeSubmission: SubmissionWatch['beforeSubmission'];
    },
  ): Promise<CarriedDeposit> {
    const { key, fingerprint, served, terms, caller } = request;
    const { submissions, clock } = this.ports;
    const held = await this.#admission.standing(request);
    if (held !== null) return held;
    const nowMs = clock.nowMs();
    refuse(expiryRejection(terms.expiresAtMs, nowMs));
    const evidence = await this.#admission.evidence(request, read, costFri);
    refuse(await this.#admission.checks.rejection(evidence));
    await this.#admission.checkRoom(evidence);
    await beforeSubmission?.();
    const submission = {
      key,
      effect: fingerprint,
      fingerprint,
      ...depositPurpose(served.address, terms.commitment),
      role: ROLE,
      target: { to: served.address, entrypoint: DEPOSIT_ENTRYPOINT },
      calldata,
      limits: this.policy.limits ?? DEPOSIT_LIMITS,
      terms: null,
      // If a call is executed twice, the second execution reverts, because a pool accepts each
      // commitment only once.
      replayProtected: true,
      sendWithinMs: terms.expiresAtMs - nowMs,
    } as const;
    const entry = { pool: served, kind: 'deposit', key, costFri: null } as const;
    const { kind, attempt } = await this.guards.guard.confirm(entry, () =>
      submissions.submit(submission),
    );
    if (kind === 'accepted') this.guards.networks.begun(caller, attempt.id);
    if (kind === 'conflict')
      throw isLive(attempt.state) ? new DepositInProgress() : new DepositExists();
    return { submissionId: attempt.id, began: kind === 'accepted' };
  }

  async #judge(request: DepositRequest, read: ReadDeposit): Promise<void> {
    const evidence = await this.#admission.evidence(request, read);
    refuse(await this.#admission.checks.rejection(evidence));
  }
}

/** @throws the rejection, if there is one */
function refuse(rejection: DomainError | null): void {
  if (rejection !== null) throw rejection;
}
