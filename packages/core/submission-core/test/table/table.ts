import { beforeEach } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { refOf } from '../../src/domain/rows.js';
import type {
  Attempt,
  AttemptRef,
  Lane,
  CommandResult,
  SignedTransaction,
  SubmissionCommand,
  TransactionRow,
} from '../../src/index.js';
import { InMemoryLedger, LedgerDriver, aSignedTransaction } from '../../src/testing/index.js';

export const FIRST_FRI = 24_000_000_000n;
export const DEARER_FRI = 40_000_000_000n;
export const CEILING_FRI = LedgerDriver.ceilingL2PriceFri;
export const HOUR_MS = 3_600_000;
export const LANE = LedgerDriver.lane;
export const SECOND_LANE: Felt = toFelt('0x2a2e');

type Of<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

/**
 * An open nonce as text: its owner, its version, and each transaction as `kind step claims` or the
 * reason why it is gone.
 */
export interface NonceInWords {
  readonly owner: string | null;
  readonly version: number;
  readonly transactions: readonly string[];
}

/**
 * Applies rows of the transition table to the machine one by one: a leased lane, and an empty
 * ledger for each test.
 */
export class Table {
  ledger = new InMemoryLedger();
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

  /** Returns another leased lane of the same ledger. */
  async secondLane(): Promise<LedgerDriver> {
    const second = new LedgerDriver(this.ledger, SECOND_LANE);
    await second.lease();
    return second;
  }

  /** Puts another lane of the ledger behind its chain. */
  async fallBehind(): Promise<LedgerDriver> {
    const second = await this.secondLane();
    await second.introduce(0n);
    await second.quarantine(3n);
    return second;
  }

  /** Leases the lane to another instance: later writes of the driver are under an old fence. */
  async loseLane(): Promise<void> {
    this.nowMs += HOUR_MS;
    if ((await this.ledger.lease(LANE, 'another', 15_000)) === null)
      throw new Error('the lease has not run out');
  }

  refusal(
    nonce: bigint,
    { hash }: SignedTransaction,
    rest: Partial<Of<'refusal'>> = {},
  ): Promise<CommandResult> {
    return this.driver.refuse(nonce, hash, { code: 'VALIDATION_FAILURE', ...rest });
  }

  replace(
    nonce: bigint,
    attempt: AttemptRef,
    transaction: SignedTransaction,
    rest: Partial<Of<'store'>> = {},
  ): Promise<CommandResult> {
    return this.driver.store(refOf(attempt), nonce, transaction, rest);
  }

  noop(
    nonce: bigint,
    transaction: SignedTransaction = aSignedTransaction(`no-op at ${nonce}`, DEARER_FRI),
    rest: Partial<Of<'store'>> = {},
  ): Promise<CommandResult> {
    return this.driver.store(null, nonce, transaction, rest);
  }

  /** Frees nonce 0, which has a row, below a transaction that could land. */
  async withGap(): Promise<void> {
    const { transaction } = await this.driver.broadcast('refused', 0n);
    await this.refusal(0n, transaction);
    await this.driver.broadcast('above', 1n);
  }

  /** Returns the attempt as stored now. */
  async attempt({ key, attempt }: Attempt): Promise<Attempt | null> {
    return this.ledger.attempt({ key, attempt });
  }

  async lane(address: Felt = LANE): Promise<Lane> {
    const lane = (await this.ledger.state()).lanes.find((row) => row.address === address);
    if (lane === undefined) throw new Error('the lane has no row');
    return lane;
  }

  async nonce(nonce: bigint): Promise<NonceInWords | null> {
    const found = (await this.ledger.openNonces(LANE)).find(({ row }) => row.nonce === nonce);
    if (found === undefined) return null;
    return {
      owner: found.row.owner?.key ?? null,
      version: found.row.version,
      transactions: found.transactions.map(inWords),
    };
  }

  /** Returns the transactions of an attempt as text. */
  async transactionsOf(attempt: Attempt): Promise<readonly string[]> {
    return (await this.ledger.transactionsOf(refOf(attempt))).map(inWords);
  }
}

function inWords({ kind, priceStep, sendCount, gone }: TransactionRow): string {
  return gone ?? `${kind} ${priceStep} c=${sendCount}`;
}

export const rejectedWith = (because: string): object => ({ applied: false, because });
