import type { StagedAttempt } from '@sotto/relayer-core/testing';
import type { Attempt, Ledger, SubmissionEvent } from '@sotto/submission-core';
import { LedgerDriver, aSignedTransaction, aSubmission, took } from '@sotto/submission-core/testing';

type Settle = Extract<SubmissionEvent, { type: 'settle' }>;

/** Writes attempts to a ledger as they come about, each with the money that it shall have cost. */
export class MoneyStage {
  readonly driver: LedgerDriver;
  #nonce = 0n;

  private constructor(ledger: Ledger) {
    this.driver = new LedgerDriver(ledger);
  }

  static async on(ledger: Ledger): Promise<MoneyStage> {
    const stage = new MoneyStage(ledger);
    await stage.driver.lease();
    return stage;
  }

  async begin({ key, terms, acceptedAtMs }: Pick<StagedAttempt, 'key' | 'terms' | 'acceptedAtMs'>): Promise<Attempt> {
    const submission = { ...aSubmission(key), key, terms };
    return written(await this.driver.ledger.record({ type: 'request', submission, atMs: acceptedAtMs }));
  }

  async end(staged: StagedAttempt): Promise<void> {
    const attempt = await this.begin(staged);
    const nonce = this.#nonce;
    this.#nonce += 1n;
    await this.endAt(staged, attempt, nonce);
  }

  /** Ends an accepted attempt with this nonce. */
  async endAt({ key, end, gasPaidFri: feeFri, endedAtMs }: StagedAttempt, attempt: Attempt, nonce: bigint): Promise<void> {
    const transaction = aSignedTransaction(`${key} at ${nonce}`);
    await this.driver.prepare(attempt, nonce, transaction);
    const at = { ...this.driver.at(nonce), hash: transaction.hash, atMs: endedAtMs };
    switch (end) {
      case 'succeeded':
        return this.settle(nonce, took(transaction.hash, { feeFri }), endedAtMs);
      case 'reverted':
        return this.settle(nonce, took(transaction.hash, { feeFri, execution: 'REVERTED', revertReason: 'no' }), endedAtMs);
      case 'refused':
        written(await this.driver.ledger.record({ type: 'refusal', ...at, code: 'NO', cause: 'call' }));
        return;
      case 'cancelled':
        return this.takenByNoop(nonce, feeFri, endedAtMs, { to: 'expired', code: 'DEADLINE_PASSED' });
    }
  }

  /** A no-op takes a nonce from the attempt that holds it. */
  async takenByNoop(nonce: bigint, feeFri: bigint, atMs: number, loser: Settle['loser']): Promise<void> {
    const noop = aSignedTransaction(`no-op at ${nonce}`, 90_000_000_000n);
    const event = { ...this.driver.at(nonce), transaction: noop, ceilingL2PriceFri: 100_000_000_000n };
    written(await this.driver.ledger.record({ type: 'cancel', ...event }));
    await this.settle(nonce, took(noop.hash, { feeFri }), atMs, loser);
  }

  /** A no-op fills a nonce that nobody holds. */
  async filled(nonce: bigint, feeFri: bigint, atMs: number): Promise<void> {
    const noop = aSignedTransaction(`filler at ${nonce}`, 90_000_000_000n);
    const filled = await this.driver.ledger.record({ type: 'fill', ...this.driver.at(nonce), transaction: noop });
    if (!filled.written) throw new Error(`the ledger stood back: ${filled.because}`);
    await this.settle(nonce, took(noop.hash, { feeFri }), atMs);
  }

  async settle(nonce: bigint, taker: Settle['taker'], atMs: number, loser: Settle['loser'] = { to: 'accepted' }): Promise<void> {
    const settled = await this.driver.ledger.record({ type: 'settle', ...this.driver.at(nonce), taker, loser, atMs });
    if (!settled.written) throw new Error(`the ledger stood back: ${settled.because}`);
  }
}

function written(recorded: Awaited<ReturnType<Ledger['record']>>): Attempt {
  if (!recorded.written) throw new Error(`the ledger stood back: ${recorded.because}`);
  if (recorded.attempt === null) throw new Error('the event was about no attempt');
  return recorded.attempt;
}
