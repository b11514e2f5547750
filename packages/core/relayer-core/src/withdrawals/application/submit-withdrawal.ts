import type { SwapAmounts } from '@sotto/market-core';
import { CODES_OF } from '@sotto/facts';
import { UNNAMED_CALLER, settle, ok, type Caller, type Felt, type Felts } from '@sotto/kernel';
import type { ResourceLimits, Submissions } from '@sotto/submission-core';
import { crowdOf, type Crowd } from '../../pools/domain/crowd.js';
import { WITHDRAW_ENTRYPOINT } from '../../pools/domain/withdrawal.js';
import { LeafIndexMismatch, LeafIndexNotApplicable } from '../../errors.js';
import { leafIndexOf, type AdmissionFacts, type WithdrawalRequest } from './admission-facts.js';
import type { CheckReport } from './admission-checks.js';
import type { WithdrawalAdmission } from './withdrawal-admission.js';
import type { SubmissionWatch } from '../../relay/application/submission-watch.js';
import {
  RelayPipeline,
  checkQueueCapacity,
  withSpender,
  type RelayGuards,
} from './relay-pipeline.js';
import type { QuoteRedemption } from '../../fees/application/quote-redemption.js';
import { assertNotRejected, type StandingAnswer } from '../../relay/application/submission-end.js';

const ROLE = 'relay';

export interface WithdrawalInput {
  readonly poolAddress: Felt;
  /** Proof calldata, with or without its length felt. */
  readonly calldata: Felts;
  /**
   * The quote whose fee the proof goes by. It serves this one withdrawal, which any number of
   * requests may ask for.
   */
  readonly quoteId?: string;
  /** The leaf that the proof of a swap output spends; the proof has the last word. */
  readonly leafIndex?: number;
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
}

export interface SubmitWithdrawalInput extends WithdrawalInput, SubmissionWatch {
  /** How long to wait for an execution before the answer is "undecided". */
  readonly waitMs: number;
  /** Ends the wait, never the submission. */
  readonly signal?: AbortSignal;
}

export interface SubmittedWithdrawal {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
}

export interface DryRunReport {
  /** True when every check passed: the same request, sent now, would be accepted. */
  readonly admissible: boolean;
  /** All admission checks, in order. */
  readonly checks: readonly CheckReport[];
  /** What the withdrawal hides in; absent where the request could not be read. */
  readonly crowd?: Crowd;
  /** Amounts of a private swap; absent for a withdrawal and where no quote was usable. */
  readonly swap?: SwapAmounts;
}

/** Relays a user's withdrawal proof, so that the user's own account never appears on chain. */
export class SubmitWithdrawal {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.withdraw;

  readonly #relay: RelayPipeline;

  /**
   * @param limits of the transaction's resources; the policy's, not an estimate.
   * @param smallBatchBelow batches of fewer deposits are warned of
   */
  constructor(
    private readonly admission: WithdrawalAdmission,
    private readonly submissions: Submissions,
    private readonly quotes: QuoteRedemption,
    private readonly guards: RelayGuards,
    private readonly limits: ResourceLimits,
    private readonly smallBatchBelow: number,
  ) {
    this.#relay = new RelayPipeline(admission, submissions, guards);
  }

  /**
   * The answer to a withdrawal: executed (with or without a revert) or undecided. A request of the
   * same effect (same pool, note, recipient, relayer and fee) that is on its way or has succeeded
   * gives it its answer, without gas; where the public inputs are equal too, without pairing check
   * or reads. A cited quote is used up right before the submission, once nothing else refuses it.
   * @throws LeafIndexNotApplicable, LeafIndexMismatch; the error of the first check that fails, or
   *   of the read that kept it from being judged; nothing was sent then.
   * @throws SubmissionRefused, SubmissionExpired when it was accepted but nothing of it is or can
   *   be on chain.
   */
  async execute({
    waitMs,
    signal,
    beforeSubmission,
    onSubmission,
    caller = UNNAMED_CALLER,
    ...withdrawal
  }: SubmitWithdrawalInput): Promise<SubmittedWithdrawal> {
    const { quoteId } = withdrawal;
    const { submissionId, began } = await this.#relay.submit({
      read: this.#read(withdrawal),
      role: ROLE,
      caller,
      // Where one quote binds another may not.
      variant: quoteId ?? '',
      look: async () => ({ citation: await settle(this.quotes.look(quoteId)) }),
      beforeSubmission,
      prepare: async (request) => {
        if (quoteId !== undefined) await this.quotes.redeem(quoteId, request.key);
        const target = { to: request.pool.address, entrypoint: WITHDRAW_ENTRYPOINT };
        return { target, calldata: request.calldata, limits: this.limits };
      },
    });
    await onSubmission?.(submissionId, began);
    return {
      submissionId,
      answer: assertNotRejected(await this.submissions.waitFor(submissionId, waitMs, signal)),
    };
  }

  /**
   * Judges a withdrawal by every check that can be judged; writes, sends and uses up nothing.
   * @throws an error of the ledger, or Overloaded.
   */
  async dryRun(withdrawal: WithdrawalInput): Promise<DryRunReport> {
    const { quoteId, caller = UNNAMED_CALLER } = withdrawal;
    const read = this.#read(withdrawal);
    const evidence =
      read.request?.known === true
        ? await this.#look(read, read.request.value, { quoteId, caller })
        : read;
    const checks = this.admission.checks.report(evidence);
    const report: DryRunReport = {
      admissible: checks.every(({ status }) => status === 'passed'),
      checks: checks,
    };
    if (read.request?.known !== true) return report;
    return {
      ...report,
      crowd: crowdOf(read.request.value.statement.batchSize, this.smallBatchBelow),
    };
  }

  /** @throws LeafIndexNotApplicable, LeafIndexMismatch */
  #read({ poolAddress, calldata, leafIndex }: WithdrawalInput): AdmissionFacts {
    const read = this.admission.read(poolAddress, calldata);
    if (leafIndex === undefined || read.request?.known !== true) return read;
    const spent = leafIndexOf(read.request.value);
    if (spent === null) throw new LeafIndexNotApplicable();
    if (spent !== leafIndex) throw new LeafIndexMismatch();
    return read;
  }

  async #look(
    read: AdmissionFacts,
    { key, pool }: WithdrawalRequest,
    { quoteId, caller }: { readonly quoteId: string | undefined; readonly caller: Caller },
  ): Promise<AdmissionFacts> {
    const last = await this.submissions.last(key);
    const [queue, gate, citation] = await Promise.all([
      settle(checkQueueCapacity(this.submissions, ROLE, last)),
      settle(this.guards.guard.peek(pool, 'relay')),
      settle(this.quotes.look(quoteId)),
    ]);
    const known: AdmissionFacts = { ...read, last: ok(last), queue, gate, citation };
    const evidence = await this.guards.slots.run(pool.address, caller, () =>
      this.admission.examine(known, caller),
    );
    return withSpender(evidence, last?.state === 'succeeded' ? last.transactionHash : null);
  }
}
