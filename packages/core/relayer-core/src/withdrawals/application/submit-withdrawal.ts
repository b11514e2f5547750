import type { SwapAmounts } from '@sotto/market-core';
import { CODES_OF } from '@sotto/facts';
import { UNNAMED_CALLER, settle, ok, type Caller, type Felt, type Felts } from '@sotto/kernel';
import type { ResourceLimits, Submissions } from '@sotto/submission-core';
import { crowdOf, type Crowd } from '../../pools/domain/crowd.js';
import { recipientGasTerms } from '../../pools/domain/recipient-gas.js';
import { WITHDRAW_ENTRYPOINT } from '../../pools/domain/withdrawal.js';
import { LeafIndexMismatch, LeafIndexNotApplicable } from '../../errors.js';
import { leafIndexOf, type AdmissionFacts, type WithdrawalRequest } from './admission-facts.js';
import type { ChecksReport } from '../../relay/domain/check-report.js';
import type { WithdrawalAdmission } from './withdrawal-admission.js';
import type { RecipientGasBudget } from './recipient-gas-budget.js';
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
   * Id of the quote whose fee the proof pays. The quote is valid only for this withdrawal. The same
   * withdrawal may be requested repeatedly with this quote.
   */
  readonly quoteId?: string;
  /**
   * STRK that the transaction gives to the recipient of the proof, in fri. The fee must cover its
   * price. Equal for every repetition of a request: another amount is another request for the same
   * note. @default 0
   */
  readonly recipientGasFri?: bigint;
  /** Leaf that the withdrawal of a swap output spends. Must equal the leaf in the proof. */
  readonly leafIndex?: number;
  /** Caller of the withdrawal. @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
}

export interface SubmitWithdrawalInput extends WithdrawalInput, SubmissionWatch {
  /**
   * Maximum milliseconds to wait for the execution. Afterwards the withdrawal is returned as
   * undecided.
   */
  readonly waitMs: number;
  /** Aborting ends the wait; the submission continues. */
  readonly signal?: AbortSignal;
}

export interface SubmittedWithdrawal {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
}

export interface DryRunReport extends ChecksReport {
  /** Batch among whose deposits the withdrawal hides; absent if the request could not be parsed. */
  readonly crowd?: Crowd;
  /** Amounts of a private swap; absent for a withdrawal, or if no quote was usable. */
  readonly swap?: SwapAmounts;
}

/** Relays a user's withdrawal proof, so that the user's own account never appears on chain. */
export class SubmitWithdrawal {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.withdraw;

  readonly #relay: RelayPipeline;

  /**
   * @param limits resource bounds of the transaction, which come from the policy and not from an
   *   estimate
   * @param smallBatchBelow number of deposits below which a batch gets a warning
   * @param recipientGas limits how many withdrawals give STRK to their recipients
   */
  constructor(
    private readonly admission: WithdrawalAdmission,
    private readonly submissions: Submissions,
    private readonly quotes: QuoteRedemption,
    private readonly guards: RelayGuards,
    private readonly limits: ResourceLimits,
    private readonly smallBatchBelow: number,
    private readonly recipientGas: Pick<RecipientGasBudget, 'take'>,
  ) {
    this.#relay = new RelayPipeline(admission, submissions, guards);
  }

  /**
   * Relays a withdrawal and returns its outcome: executed (with or without a revert) or undecided.
   *
   * If a request with the same effect (pool, note, recipient, relayer, fee and STRK for the
   * recipient) is in flight or has
   * succeeded, its answer is returned without gas cost. If all public inputs are equal too, the
   * answer requires neither a pairing check nor reads. A cited quote is redeemed right before the
   * submission, after all checks.
   *
   * @throws LeafIndexNotApplicable, LeafIndexMismatch, RecipientGasNotOffered,
   *   RecipientGasUnavailable; the error of the first failed check, or of
   *   the read that a check needed; no transaction was sent in these cases
   * @throws SubmissionRefused, SubmissionExpired if the attempt was accepted, but it has no
   *   transaction that is on chain or can still get there
   */
  async execute({
    waitMs,
    signal,
    beforeSubmission,
    onSubmission,
    caller = UNNAMED_CALLER,
    ...withdrawal
  }: SubmitWithdrawalInput): Promise<SubmittedWithdrawal> {
    const { quoteId, recipientGasFri = 0n } = withdrawal;
    const { submissionId, began } = await this.#relay.submit({
      read: this.#read(withdrawal),
      role: ROLE,
      caller,
      // Requests share an admission only if quote and STRK are equal, because a check may pass for
      // one of two requests and fail for the other.
      variant: [quoteId ?? '', ...recipientGasTerms(recipientGasFri)].join('|'),
      poll: async () => {
        this.admission.requireOffered(recipientGasFri);
        return { citation: await settle(this.quotes.poll(quoteId)) };
      },
      beforeSubmission,
      ...(recipientGasFri === 0n ? {} : { reserve: () => this.recipientGas.take(caller) }),
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
   * Runs every check whose facts can be read. Writes, sends and redeems nothing.
   * @throws RecipientGasNotOffered, an error of the ledger, or Overloaded
   */
  async dryRun(withdrawal: WithdrawalInput): Promise<DryRunReport> {
    const { quoteId, recipientGasFri = 0n, caller = UNNAMED_CALLER } = withdrawal;
    const read = this.#read(withdrawal);
    this.admission.requireOffered(recipientGasFri);
    const evidence =
      read.request?.known === true
        ? await this.#poll(read, read.request.value, { quoteId, caller })
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

  /**
   * @throws LeafIndexNotApplicable, LeafIndexMismatch for a leaf index that is not needed, or that
   *   is wrong
   */
  #read({ poolAddress, calldata, leafIndex, recipientGasFri }: WithdrawalInput): AdmissionFacts {
    const read = this.admission.read(poolAddress, calldata, [], [], recipientGasFri);
    if (leafIndex === undefined || read.request?.known !== true) return read;
    const spent = leafIndexOf(read.request.value);
    if (spent === null) throw new LeafIndexNotApplicable();
    if (spent !== leafIndex) throw new LeafIndexMismatch();
    return read;
  }

  async #poll(
    read: AdmissionFacts,
    { key, pool }: WithdrawalRequest,
    { quoteId, caller }: { readonly quoteId: string | undefined; readonly caller: Caller },
  ): Promise<AdmissionFacts> {
    const last = await this.submissions.last(key);
    const [queue, gate, citation] = await Promise.all([
      settle(checkQueueCapacity(this.submissions, ROLE, last)),
      settle(this.guards.guard.peek(pool, 'relay')),
      settle(this.quotes.poll(quoteId)),
    ]);
    const known: AdmissionFacts = { ...read, last: ok(last), queue, gate, citation };
    const evidence = await this.guards.slots.run(pool.address, caller, () =>
      this.admission.examine(known, caller),
    );
    return withSpender(evidence, last?.state === 'succeeded' ? last.transactionHash : null);
  }
}
