import { DomainError } from '@sotto/kernel';
import {
  requestsSame,
  headOf,
  type AccountTransaction,
  type Requested,
  type Attempt,
  type BlockRef,
  type CallReader,
  type ChainEvidence,
  type ChainReader,
  type Ledger,
  type RejectionReason,
} from '@sotto/submission-core';

/**
 * Identity of a request: its key, and each fingerprint under which an attempt may have recorded the
 * request.
 */
export interface KnownBy {
  readonly key: string;
  readonly requested: readonly Requested[];
}

export interface Adoption {
  /** Attempt whose outcome is now this transaction; null if the transaction was not adopted. */
  readonly attempt: Attempt | null;
  /**
   * True if the transaction may still become the outcome of an attempt that has no outcome in the
   * ledger yet. Until this is decided, the attempt must not end with a different outcome.
   */
  readonly isOpen: boolean;
}

const NOT_ADOPTED: Adoption = { attempt: null, isOpen: false };
/** Result if the node does not confirm that the transaction's block is still on its chain. */
const NOT_CONFIRMED: Adoption = { attempt: null, isOpen: true };
/** Reasons for which the ledger rejects the outcome while it has not settled the nonce yet. */
const UNSETTLED: ReadonlySet<string> = new Set([
  'unknown_row',
  'already_live',
  'proves_nothing',
] satisfies readonly RejectionReason[]);

/**
 * Writes the outcome of a transaction that one of the service's accounts sent but that the ledger
 * does not contain, because the ledger was lost or is an old copy.
 */
export class AdoptOutcome {
  constructor(
    private readonly calls: CallReader,
    private readonly ledger: Pick<Ledger, 'apply'>,
    private readonly reader: Pick<ChainReader, 'head' | 'confirm'>,
  ) {}

  /**
   * Adopts the transaction as the outcome of the request. Returns an attempt if the transaction
   * SUCCEEDED, contains the request's own call, and the ledger accepts the transaction. The ledger
   * decides, because it records which transactions it sent itself and which nonces it may adopt.
   */
  async execute(
    { sender, nonce, consumer, calls }: AccountTransaction,
    wanted: KnownBy,
  ): Promise<Adoption> {
    const [call, ...more] = calls ?? [];
    if (consumer.execution !== 'SUCCEEDED' || call === undefined || more.length > 0)
      return NOT_ADOPTED;
    const submission = this.calls.submissionOf(call.target, call.calldata);
    if (submission === null || !isOf(submission, wanted)) return NOT_ADOPTED;
    // Confirm the transaction's block, because the transaction may have been found by a different
    // node some seconds ago.
    const evidence = await this.#confirm(consumer.block);
    if (evidence === null) return NOT_CONFIRMED;
    // If another instance has already adopted the transaction, the result contains the attempt that
    // this instance wrote.
    const result = await this.ledger.apply({
      type: 'adopt',
      lane: sender,
      nonce,
      submission,
      consumer,
      evidence,
    });
    const { attempt } = result;
    return {
      attempt: attempt?.state === 'succeeded' && isOf(attempt, wanted) ? attempt : null,
      isOpen: !result.applied && UNSETTLED.has(result.because),
    };
  }

  async #confirm({ number }: BlockRef): Promise<ChainEvidence | null> {
    try {
      const head = await this.reader.head([]);
      return await this.reader.confirm(headOf(head), [number]);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return null;
    }
  }
}

function isOf(
  { key, effect, fingerprint }: Pick<Attempt, 'key' | 'effect' | 'fingerprint'>,
  wanted: KnownBy,
): boolean {
  return (
    key === wanted.key && wanted.requested.some((own) => requestsSame(own, { effect, fingerprint }))
  );
}
