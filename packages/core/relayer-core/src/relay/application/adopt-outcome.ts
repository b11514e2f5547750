import {
  asksForSame,
  type AccountTransaction,
  type Asked,
  type Attempt,
  type CallReader,
  type Ledger,
} from '@sotto/submission-core';

/** What a request is known by: its key, and all that it may have been asked as. */
export interface KnownBy {
  readonly key: string;
  readonly asked: readonly Asked[];
}

/**
 * Writes the outcome of a transaction that one of our accounts sent and the ledger does not know:
 * it was lost, or is an old copy.
 */
export class AdoptOutcome {
  constructor(
    private readonly calls: CallReader,
    private readonly ledger: Pick<Ledger, 'apply'>,
  ) {}

  /**
   * The attempt that the transaction is the outcome of; null unless it SUCCEEDED, carries the
   * request's own call, and the ledger takes it. The ledger has the last word: it knows whether the
   * transaction is one of its own, and which nonces it may adopt.
   */
  async execute(
    { sender, nonce, consumer, calls }: AccountTransaction,
    wanted: KnownBy,
  ): Promise<Attempt | null> {
    const [call, ...more] = calls ?? [];
    if (consumer.execution !== 'SUCCEEDED' || call === undefined || more.length > 0) return null;
    const submission = this.calls.submissionOf(call.target, call.calldata);
    if (submission === null || !isOf(submission, wanted)) return null;
    // Where another instance was first, the attempt is the one that it has written.
    const { attempt } = await this.ledger.apply({
      type: 'adopt',
      lane: sender,
      nonce,
      submission,
      consumer,
    });
    return attempt?.state === 'succeeded' && isOf(attempt, wanted) ? attempt : null;
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
