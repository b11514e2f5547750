import { DomainError } from '@sotto/kernel';
import {
  asksForSame,
  headOf,
  type AccountTransaction,
  type Asked,
  type Attempt,
  type BlockRef,
  type CallReader,
  type ChainEvidence,
  type ChainReader,
  type Ledger,
  type RejectionReason,
} from '@sotto/submission-core';

/** What a request is known by: its key, and all that it may have been asked as. */
export interface KnownBy {
  readonly key: string;
  readonly asked: readonly Asked[];
}

export interface Adoption {
  /** The attempt that the transaction is the outcome of. */
  readonly attempt: Attempt | null;
  /**
   * The transaction may be the outcome of an attempt that has none in the ledger yet: it must not
   * end with another one.
   */
  readonly isOpen: boolean;
}

const NOT_ADOPTED: Adoption = { attempt: null, isOpen: false };
/** The node does not show now that the transaction is on its chain. */
const NOT_CONFIRMED: Adoption = { attempt: null, isOpen: true };
/** So the ledger says of a nonce that it has yet to settle. */
const UNSETTLED: ReadonlySet<string> = new Set([
  'unknown_row',
  'already_live',
  'proves_nothing',
] satisfies readonly RejectionReason[]);

/**
 * Writes the outcome of a transaction that one of our accounts sent and the ledger does not know:
 * it was lost, or is an old copy.
 */
export class AdoptOutcome {
  constructor(
    private readonly calls: CallReader,
    private readonly ledger: Pick<Ledger, 'apply'>,
    private readonly reader: Pick<ChainReader, 'head' | 'confirm'>,
  ) {}

  /**
   * There is an attempt when the transaction SUCCEEDED, carries the request's own call, and the
   * ledger takes it. The ledger has the last word: it knows whether the transaction is one of its
   * own, and which nonces it may adopt.
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
    // It may have been found by another replica, some seconds ago.
    const evidence = await this.#confirm(consumer.block);
    if (evidence === null) return NOT_CONFIRMED;
    // Where another instance was first, the attempt is the one that it has written.
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
    key === wanted.key && wanted.asked.some((own) => asksForSame(own, { effect, fingerprint }))
  );
}
