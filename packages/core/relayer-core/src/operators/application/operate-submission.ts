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

/** It has its end: `details.state`. The operator reads it. */
export class SubmissionEnded extends domainError('SUBMISSION_ENDED') {}

/** Something of it may land. The operator follows it. */
export class SubmissionSigned extends domainError('SUBMISSION_SIGNED') {}

/** What an attempt ends with that an operator cancelled. */
export const CANCELLED_BY_OPERATOR = 'CANCELLED_BY_OPERATOR';

/** A recovery takes minutes. */
const BEHIND_RETRY_AFTER_SECONDS = 30;

export interface InspectedSubmission {
  readonly submission: OperatedSubmission;
  /** The block that settled its nonce; null while none has, or none is known. */
  readonly block: BlockRef | null;
  readonly isCancellable: boolean;
}

interface OperateSubmissionPorts {
  readonly register: Pick<SubmissionRegister, 'ofId'>;
  readonly ledger: Pick<Ledger, 'apply' | 'inclusionOf'>;
  readonly engine: Pick<SubmissionEngine, 'retry'>;
  readonly changes: Pick<SubmissionNotifier, 'changed'>;
}

/** The operator's hand on single submissions. */
export class OperateSubmission {
  /** Codes of the route that each of its methods stands behind. */
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
   * Has every instance look at once; what is sent then is decided as always.
   * @throws SubmissionNotFound, SubmissionEnded
   */
  async retry(id: string): Promise<OperatedSubmission> {
    const submission = await this.#find(id);
    assertNotEnded(submission);
    this.ports.engine.retry(id);
    return submission;
  }

  /**
   * Ends what waits, in one guarded write: the lane that signs for it at the same moment finds it
   * ended and sends nothing, or was faster and it is followed.
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
