import { beforeEach } from '@jest/globals';
import type { Attempt, Recorded, SignedTransaction, SubmissionEvent } from '../../src/index.js';
import { InMemoryLedger, LedgerDriver, aSignedTransaction } from '../../src/testing/index.js';

export const CEILING_FRI = 100_000_000_000n;
type Of<Type extends SubmissionEvent['type']> = Extract<SubmissionEvent, { type: Type }>;
type Rest<Type extends SubmissionEvent['type']> = Partial<Of<Type>>;

/** Rows of the transition table, played one by one against the machine: a leased lane, and an empty ledger for each test. */
export class Table {
  ledger = new InMemoryLedger({ clock: { nowMs: () => this.nowMs } });
  driver = new LedgerDriver(this.ledger);
  nowMs = 5_000;

  static forEachTest(): Table {
    const table = new Table();
    beforeEach(async () => {
      table.nowMs = 5_000;
      table.ledger = new InMemoryLedger({ clock: { nowMs: () => table.nowMs } });
      table.driver = new LedgerDriver(table.ledger);
      await table.driver.lease();
    });
    return table;
  }

  /** Another instance takes the lane: what the driver writes from here on is under an old fence. */
  async loseLane(): Promise<void> {
    this.nowMs += 3_600_000;
    if ((await this.ledger.lease(LedgerDriver.lane, 'another', 15_000)) === null) throw new Error('the lease has not run out');
  }

  refusal(nonce: bigint, { hash }: SignedTransaction, rest: Rest<'refusal'> = {}): Promise<Recorded> {
    const what = { code: 'VALIDATION_FAILURE', cause: 'call', atMs: this.driver.atMs } as const;
    return this.ledger.record({ type: 'refusal', ...this.driver.at(nonce), hash, ...what, ...rest });
  }

  release(nonce: bigint, to: 'accepted' | 'expired' = 'accepted'): Promise<Recorded> {
    return this.ledger.record({ type: 'release', ...this.driver.at(nonce), to, atMs: this.driver.atMs });
  }

  replace(nonce: bigint, transaction: SignedTransaction): Promise<Recorded> {
    return this.ledger.record({ type: 'replace', ...this.driver.at(nonce), transaction, ceilingL2PriceFri: CEILING_FRI });
  }

  cancel(nonce: bigint, transaction: SignedTransaction): Promise<Recorded> {
    return this.ledger.record({ type: 'cancel', ...this.driver.at(nonce), transaction, ceilingL2PriceFri: CEILING_FRI });
  }

  fill(nonce: bigint, transaction: SignedTransaction = aSignedTransaction(`no-op at ${nonce}`)): Promise<Recorded> {
    return this.ledger.record({ type: 'fill', ...this.driver.at(nonce), transaction });
  }

  observe(nonce: bigint, { hash }: SignedTransaction, execution: 'SUCCEEDED' | 'REVERTED' | null): Promise<Recorded> {
    const seen = execution === null ? null : { execution, revertReason: null };
    return this.ledger.record({ type: 'observe', lane: LedgerDriver.lane, nonce, hash, seen });
  }

  endWaiting(attempt: Attempt): Promise<Recorded> {
    return this.ledger.record({ type: 'end_waiting', attempt, to: 'expired', code: 'NOT_SENT_IN_TIME', atMs: this.driver.atMs });
  }

  /** The attempt as it stands. */
  async attempt({ key, attempt }: Attempt): Promise<Attempt | null> {
    return this.ledger.attempt({ key, attempt });
  }

  /** Under an open nonce: who holds it, and each transaction as `kind step claims` or `dead`. */
  async nonce(nonce: bigint): Promise<{ owner: string | null; transactions: string[] } | null> {
    const found = (await this.ledger.openNonces(LedgerDriver.lane)).find(({ row }) => row.nonce === nonce);
    if (found === undefined) return null;
    return {
      owner: found.row.owner?.key ?? null,
      transactions: found.transactions.map(({ kind, priceStep, claims, dead }) => (dead ? 'dead' : `${kind} ${priceStep} c=${claims}`)),
    };
  }
}

export const stoodBack = (because: string): object => ({ written: false, because });
