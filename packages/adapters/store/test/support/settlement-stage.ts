import {
  REVERT_REASON,
  type StagedAttempt,
  type StagedCall,
  type TopUpStoreHarness,
  type TrafficStoreHarness,
} from '@sotto/relayer-core/testing/contracts';
import { toFelt } from '@sotto/kernel';
import type { Attempt, Ledger, NonceConsumer } from '@sotto/submission-core';
import {
  LedgerDriver,
  aSignedTransaction,
  aSubmission,
  took,
  written,
} from '@sotto/submission-core/testing';
import type { StagedClock } from './staged-clock.js';

/** Writes attempts with given costs to a ledger through their normal transitions. */
export class SettlementStage {
  readonly driver: LedgerDriver;
  #nonce = 0n;

  private constructor(
    ledger: Ledger,
    private readonly clock: StagedClock,
  ) {
    this.driver = new LedgerDriver(ledger);
  }

  /** @param clock clock of the ledger's store */
  static async on(ledger: Ledger, clock: StagedClock): Promise<SettlementStage> {
    const stage = new SettlementStage(ledger, clock);
    await stage.driver.lease();
    return stage;
  }

  /** @param entrypoint entry point of the call @default the entry point that the builder sets */
  async begin(
    {
      key,
      kind,
      subject,
      role,
      terms,
      acceptedAtMs,
      effect,
    }: Pick<
      StagedAttempt,
      'key' | 'kind' | 'subject' | 'role' | 'terms' | 'acceptedAtMs' | 'effect'
    >,
    entrypoint?: string,
  ): Promise<Attempt> {
    this.clock.set(acceptedAtMs);
    const usual = aSubmission(`${key} at ${acceptedAtMs}`);
    const target = { ...usual.target, ...(entrypoint === undefined ? {} : { entrypoint }) };
    return written(
      await this.driver.ledger.apply({
        type: 'request',
        submission: {
          ...usual,
          target,
          key,
          kind,
          subject,
          role,
          terms,
          ...(effect === undefined ? {} : { effect }),
        },
      }),
    );
  }

  /** Signs the attempt's call with the next nonce of an account. */
  async send(attempt: Attempt): Promise<void> {
    const nonce = this.#nonce;
    this.#nonce += 1n;
    written(await this.driver.store(attempt, nonce, aSignedTransaction(`${attempt.key} sent`)));
  }

  /** Writes an ended call to the ledger, with the given key, kind and other identifying values. */
  async call({
    key,
    kind,
    subject,
    memo,
    fingerprint,
    entrypoint,
    acceptedAtMs,
  }: StagedCall): Promise<Attempt> {
    this.clock.set(acceptedAtMs);
    const target = { to: toFelt('0x9001'), entrypoint };
    return written(
      await this.driver.ledger.apply({
        type: 'request',
        submission: { ...aSubmission(key), key, kind, subject, memo, fingerprint, target },
      }),
    );
  }

  /**
   * Returns functions that write calls to the ledger, for the contract test of the traffic store.
   */
  traffic(): Pick<TrafficStoreHarness, 'begin' | 'send' | 'end'> {
    const begun = new Map<string, Attempt>();
    const nonces = new Map<string, bigint>();
    const transactionOf = (key: string) => aSignedTransaction(`${key} at ${nonces.get(key)}`);
    return {
      begin: async (call) => void begun.set(call.key, await this.call(call)),
      send: async (key) => {
        const attempt = begun.get(key);
        if (attempt === undefined) throw new Error('no such call has begun');
        nonces.set(key, this.#nonce);
        this.#nonce += 1n;
        written(await this.driver.store(attempt, nonces.get(key) ?? 0n, transactionOf(key)));
      },
      end: async (key, state) => {
        const nonce = nonces.get(key) ?? 0n;
        const { hash } = transactionOf(key);
        if (state === 'refused') written(await this.driver.refuse(nonce, hash));
        else {
          const execution = state === 'succeeded' ? 'SUCCEEDED' : 'REVERTED';
          await this.driver.settle(
            nonce,
            took(hash, { execution, revertReason: state === 'succeeded' ? null : 'no' }),
          );
        }
      },
    };
  }

  /**
   * Returns functions that write transfers to the ledger, for the contract test of the top-up
   * store.
   */
  topUps(): Pick<TopUpStoreHarness, 'stage'> {
    let staged = 0;
    return {
      stage: async ({ end, atMs, ...purpose }) => {
        this.clock.set(atMs);
        const submission = { ...aSubmission(`top-up ${(staged += 1)}`), ...purpose };
        const attempt = written(await this.driver.ledger.apply({ type: 'request', submission }));
        if (end !== null) {
          const nonce = this.#nonce;
          this.#nonce += 1n;
          const ended = { key: attempt.key, end, gasPaidFri: 1n, endedAtMs: atMs };
          await this.endAt(ended, attempt, nonce);
        }
      },
    };
  }

  async end(staged: StagedAttempt, entrypoint?: string): Promise<void> {
    const attempt = await this.begin(staged, entrypoint);
    const nonce = this.#nonce;
    this.#nonce += 1n;
    await this.endAt(staged, attempt, nonce);
  }

  /** Signs an accepted attempt with the nonce `nonce` and ends it. */
  async endAt(
    {
      key,
      end,
      gasPaidFri: feeFri,
      endedAtMs,
    }: Pick<StagedAttempt, 'key' | 'end' | 'gasPaidFri' | 'endedAtMs'>,
    attempt: Attempt,
    nonce: bigint,
  ): Promise<void> {
    const transaction = aSignedTransaction(`${key} at ${nonce}`);
    written(await this.driver.store(attempt, nonce, transaction));
    switch (end) {
      case 'succeeded':
        return this.settle(nonce, took(transaction.hash, { feeFri }), endedAtMs);
      case 'reverted':
        return this.settle(
          nonce,
          took(transaction.hash, { feeFri, execution: 'REVERTED', revertReason: REVERT_REASON }),
          endedAtMs,
        );
      case 'refused':
        this.clock.set(endedAtMs);
        written(await this.driver.refuse(nonce, transaction.hash));
        return;
      case 'cancelled':
        await this.takenByNoop(nonce, feeFri, endedAtMs);
        written(await this.driver.endWaiting(attempt));
    }
  }

  /** Settles the nonce of an attempt as consumed by a no-op that replaced the attempt's call. */
  async takenByNoop(nonce: bigint, feeFri: bigint, atMs: number): Promise<void> {
    const noop = aSignedTransaction(`no-op at ${nonce}`, 90_000_000_000n);
    written(await this.driver.store(null, nonce, noop));
    await this.settle(nonce, took(noop.hash, { feeFri }), atMs);
  }

  /** Settles a nonce without an attempt as consumed by a no-op that fills a nonce gap. */
  async filled(nonce: bigint, feeFri: bigint, atMs: number): Promise<void> {
    const noop = aSignedTransaction(`gap filler at ${nonce}`, 90_000_000_000n);
    const filled = await this.driver.store(null, nonce, noop);
    if (!filled.applied) throw new Error(`command rejected: ${filled.because}`);
    await this.settle(nonce, took(noop.hash, { feeFri }), atMs);
  }

  async settle(nonce: bigint, consumer: NonceConsumer, atMs: number): Promise<void> {
    this.clock.set(atMs);
    const settled = await this.driver.settle(nonce, consumer);
    if (!settled.applied) throw new Error(`command rejected: ${settled.because}`);
  }
}
