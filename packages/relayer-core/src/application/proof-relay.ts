import { createHash } from 'node:crypto';
import { isLive, type Attempt, type NewSubmission, type Submissions } from '@sotto/submission-core';
import type { Evidence, WithdrawalRequest } from './admission/evidence.js';
import { conflictWith } from './admission/rungs.js';
import type { WithdrawalAdmission } from './admission/withdrawal-admission.js';
import { found, valueOf } from './finding.js';
import { SingleFlight } from './single-flight.js';

/** The call that puts an admitted proof on chain. */
export type RelayedCall = Pick<NewSubmission, 'role' | 'target' | 'calldata' | 'limits'>;

/** What one kind of relaying does beside what all have in common. */
export interface RelayedRequest {
  /** What the request itself says. */
  readonly read: Evidence;
  /** What tells requests apart that are equal in every felt and every term. @default nothing */
  readonly variant?: string;
  /** What else the ladder must know of a request that the ledger does not answer. @default nothing */
  readonly look?: () => Promise<Evidence>;
  /** Called once every rung has passed, right before the submission. A fault that it rejects with is the request's answer. */
  readonly prepare: (request: WithdrawalRequest) => Promise<RelayedCall>;
}

/** The way of every withdrawal proof from a request to the one submission that carries it, whatever call it goes on chain in. */
export class ProofRelay {
  readonly #admissions = new SingleFlight<string>();

  constructor(
    private readonly admission: WithdrawalAdmission,
    private readonly submissions: Submissions,
  ) {}

  /**
   * The id of the attempt that carries the request: one that exists already, or a new one. A request whose equal (same fingerprint) is on
   * its way or has succeeded gets that one, without pairing check, reads or preparation.
   * @throws the fault of the first rung that fails, or of what kept it from being judged or prepared; nothing was sent then.
   */
  async carry(wanted: RelayedRequest): Promise<string> {
    const { read, variant = '' } = wanted;
    this.admission.ladder.refuse(read);
    const request = valueOf(read.request);
    // One proof may fail where another of the same statement holds, so only those share an admission that are equal in every felt.
    const felts = createHash('sha256').update(request.calldata.toBytes()).digest('hex');
    const sameInAll = [request.key, request.fingerprint, felts, variant].join('|');
    return this.#admissions.run(sameInAll, () => this.#admit(request, wanted));
  }

  async #admit(request: WithdrawalRequest, { read, look, prepare }: RelayedRequest): Promise<string> {
    const last = await this.submissions.last(request.key);
    if (last !== null && carries(last, request)) return last.id;
    const inLedger: Evidence = { ...read, last: found(last), ...(await look?.()) };
    this.admission.ladder.refuse(inLedger);

    const evidence = await this.admission.examine(inLedger);
    this.admission.ladder.admit(evidence);
    const cost = valueOf(evidence.cost);
    const { kind, attempt } = await this.submissions.submit({
      ...(await prepare(request)),
      key: request.key,
      fingerprint: request.fingerprint,
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
