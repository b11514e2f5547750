import { CODES_OF } from '@sotto/facts';
import { domainError } from '@sotto/kernel';
import {
  LedgerBehindChain,
  isLive,
  isUnsigned,
  refOf,
  type BlockRef,
  type Ledger,
  type SubmissionEngine,
  type SubmissionNotifier,
  type SubmissionRegister,
} from '@sotto/submission-core';
import { SubmissionNotFound } from '../../errors.js';
import {
  operatedSubmission,
  type OperatedSubmission,
  type OperatedSubmissionPolicy,
} from '../domain/operated-submission.js';

/**
 * Error for a submission that has ended in state `details.state`. The operator reads its outcome.
 */
export class SubmissionEnded extends domainError('SUBMISSION_ENDED') {}

/**
 * Error for a submission that is already signed, so its transaction may be included in a block. The
 * operator waits for the outcome.
 */
export class SubmissionSigned extends domainError('SUBMISSION_SIGNED') {}

/** Error code of an attempt that an operator has cancelled. */
export const CANCELLED_BY_OPERATOR = 'CANCELLED_BY_OPERATOR';

/** Retry delay in seconds. Reading a lost ledger back from the chain lasts minutes. */
const BEHIND_RETRY_AFTER_SECONDS = 30;

export interface InspectedSubmission {
  readonly submission: OperatedSubmission;
  /**
   * Block that settled the attempt's nonce; null if the nonce is not settled, or if the block is
   * unknown.
   */
  readonly block: BlockRef | null;
  readonly isCancellable: boolean;
}

interface OperateSubmissionPorts {
  readonly register: Pick<SubmissionRegister, 'ofId'>;
  readonly ledger: Pick<Ledger, 'apply' | 'inclusionOf'>;
  readonly engine: Pick<SubmissionEngine, 'retry'>;
  readonly changes: Pick<SubmissionNotifier, 'changed'>;
}

/** Inspects, retries and cancels single submissions for the operator. */
export class OperateSubmission {
  /** Error codes of the API route of each method. */
  static readonly throws = {
    inspect: CODES_OF.operatedSubmission,
    retry: CODES_OF.retrySubmission,
    cancel: CODES_OF.cancelSubmission,
  };

  constructor(
    private readonly ports: OperateSubmissionPorts,
    private readonly policy: OperatedSubmissionPolicy,
  ) {}

  /** @throws SubmissionNotFound */
  async inspect(id: string): Promise<InspectedSubmission> {
    const submission = await this.#find(id);
    const { attempt } = submission;
    const block = await this.ports.ledger.inclusionOf(refOf(attempt));
    return { submission, block, isCancellable: isUnsigned(attempt) };
  }

  /**
   * Makes every instance process the submission immediately. The usual rules still decide whether
   * the submission is sent.
   * @throws SubmissionNotFound, SubmissionEnded
   */
  async retry(id: string): Promise<OperatedSubmission> {
    const submission = await this.#find(id);
    assertNotEnded(submission);
    this.ports.engine.retry(id);
    return submission;
  }

  /**
   * Ends a waiting submission in one conditional write. If a lane signs the submission at the same
   * time, either the lane finds that it has ended and sends nothing, or the lane was first and the
   * write fails.
   * @throws SubmissionNotFound, SubmissionEnded, SubmissionSigned, LedgerBehindChain
   */
  async cancel(id: string): Promise<OperatedSubmission> {
    const { ledger, changes } = this.ports;
    const { attempt } = await this.#find(id);
    const result = await ledger.apply({
      type: 'end_waiting',
      attempt: refOf(attempt),
      to: 'refused',
      code: CANCELLED_BY_OPERATOR,
      notBeforeMs: 0,
      onlyUnsigned: true,
    });
    if (result.applied) changes.changed(id);
    else if (result.because === 'ledger_behind')
      throw new LedgerBehindChain({ retryAfterSeconds: BEHIND_RETRY_AFTER_SECONDS });
    const submission = await this.#find(id);
    if (result.applied) return submission;
    assertNotEnded(submission);
    throw new SubmissionSigned();
  }

  async #find(id: string): Promise<OperatedSubmission> {
    const found = await this.ports.register.ofId(id);
    if (found === null) throw new SubmissionNotFound();
    return operatedSubmission(found, this.policy);
  }
}

function assertNotEnded({ attempt: { state } }: OperatedSubmission): void {
  if (!isLive(state)) throw new SubmissionEnded({ details: { state } });
}
