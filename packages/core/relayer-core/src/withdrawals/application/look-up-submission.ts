import { CODES_OF } from '@sotto/facts';
import { UNNAMED_CALLER, unwrap, type Caller, type Felt, type Felts } from '@sotto/kernel';
import type { SubmissionAnswer, Submissions } from '@sotto/submission-core';
import { ProofInvalid, WithdrawalNotFound } from '../../errors.js';
import type { WithdrawalAdmission } from './withdrawal-admission.js';
import type { FairSemaphore } from '../../relay/application/fair-semaphore.js';

/**
 * Returns the outcome of a note's withdrawal or private swap, regardless of recipient, fee and
 * other terms. The caller must have a valid proof of the note. This lookup sends and writes
 * nothing, and queries no node.
 */
export class LookUpSubmission {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.lookUp;

  constructor(
    private readonly admission: WithdrawalAdmission,
    private readonly submissions: Submissions,
    private readonly slots: FairSemaphore,
  ) {}

  /**
   * Returns the outcome of the note's submission in flight. If no submission is in flight, returns
   * the outcome of the successful submission. If no submission was successful, returns the outcome
   * of the last submission.
   * @throws PoolNotSupported, PublicInputOutOfRange, ProofInvalid, WithdrawalNotFound, Overloaded,
   *   or an error of the layout, the verifier or the ledger
   */
  async execute(
    poolAddress: Felt,
    calldata: Felts,
    caller: Caller = UNNAMED_CALLER,
  ): Promise<SubmissionAnswer> {
    const read = this.admission.read(poolAddress, calldata);
    const pool = unwrap(read.pool);
    unwrap(read.proof);
    const { key } = unwrap(read.request);
    const { pairingHolds } = await this.slots.run(pool.address, caller, () =>
      this.admission.pair(read, caller),
    );
    if (!unwrap(pairingHolds)) throw new ProofInvalid();
    const last = await this.submissions.last(key);
    const answer = last === null ? null : await this.submissions.find(last.id);
    if (answer === null) throw new WithdrawalNotFound();
    return answer;
  }
}
