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
 * Open nonce as text: its owner, its version, and its transactions. Each transaction is written as
 * `kind step claims`, or as the reason why it is gone.
 */
export interface NonceInWords {
  readonly owner: string | null;
  readonly version: number;
  readonly transactions: readonly string[];
}

/**
 * Applies single rows of the transition table to the machine. Each test gets an empty ledger with a
 * leased lane.
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

  /** Returns the driver of another leased lane of the same ledger. */
  async secondLane(): Promise<LedgerDriver> {
    const second = new LedgerDriver(this.ledger, SECOND_LANE);
    await second.lease();
    return second;
  }

  /** Puts a second lane into quarantine because the ledger is behind its chain. */
  async fallBehind(): Promise<LedgerDriver> {
    const second = await this.secondLane();
    await second.introduce(0n);
    await second.quarantine(3n);
    return second;
  }

  /** Leases the lane to another instance. Later writes of the driver then have an old fence. */
  async loseLane(): Promise<void> {
    this.nowMs += HOUR_MS;
    if ((await this.ledger.lease(LANE, 'another', 15_000)) === null)
      throw new Error('the lease has not run out');
  }

  rejection(
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

  /** Creates a free nonce 0 that has a row, below a transaction that could land. */
  async withGap(): Promise<void> {
    const { transaction } = await this.driver.broadcast('refused', 0n);
    await this.rejection(0n, transaction);
    await this.driver.broadcast('above', 1n);
  }

  /** Returns the current row of the attempt. */
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
