import type { TransferMemory } from '@sotto/bridge-core';
import type {
  Claims,
  GasBook,
  MoneyBook,
  PoolControls,
  QuoteBook,
  SwapPins,
  SwapRecords,
  SwapVerdicts,
  TrafficBook,
} from '@sotto/relayer-core';
import type { AuditBook, Decision, InstanceHints, Ledger, SubmissionEvent, View } from '@sotto/submission-core';
import type { Kysely } from 'kysely';
import type { SqlFlavor } from './flavor.js';
import type { StoreSchema } from './schema.js';
import { SqlAuditBook } from './sql-audit-book.js';
import { SqlClaims } from './sql-claims.js';
import { SqlGasBook } from './sql-gas-book.js';
import { SqlLedger } from './sql-ledger.js';
import { SqlMoneyBook } from './sql-money-book.js';
import { SqlPoolControls } from './sql-pool-controls.js';
import { SqlQuoteBook } from './sql-quote-book.js';
import { SqlTrafficBook } from './sql-traffic-book.js';
import { SqlSwapPins } from './sql-swap-pins.js';
import { SqlSwapRecords } from './sql-swap-records.js';
import { SqlSwapVerdicts } from './sql-swap-verdicts.js';
import { SqlTransferMemory } from './sql-transfer-memory.js';

/** What is the same on every database. */
export interface StoreOptions {
  /** The machine. @default `decide` of submission-core */
  readonly decide?: (event: SubmissionEvent, view: View) => Decision;
}

export interface OpenedStore {
  readonly ledger: Ledger;
  /** The ledger's rows, as the auditor compares them with the chain. */
  readonly audit: AuditBook;
  readonly quotes: QuoteBook;
  readonly transfers: TransferMemory;
  readonly money: MoneyBook;
  readonly traffic: TrafficBook;
  readonly poolControls: PoolControls;
  readonly claims: Claims;
  readonly gas: GasBook;
  readonly swapPins: SwapPins;
  readonly swapRecords: SwapRecords;
  readonly swapVerdicts: SwapVerdicts;
  /** Between the instances that have the store open. */
  readonly hints: InstanceHints;
  /** Waits for the calls in progress; later ones reject with `LedgerUnavailable`. */
  readonly close: () => Promise<void>;
}

/** All that is kept in one database. */
export function storeOn(db: Kysely<StoreSchema>, flavor: SqlFlavor, { decide }: StoreOptions): Omit<OpenedStore, 'hints' | 'close'> {
  return {
    ledger: new SqlLedger(db, flavor, decide),
    audit: new SqlAuditBook(db),
    quotes: new SqlQuoteBook(db),
    transfers: new SqlTransferMemory(db, flavor),
    money: new SqlMoneyBook(db),
    traffic: new SqlTrafficBook(db),
    poolControls: new SqlPoolControls(db),
    claims: new SqlClaims(db),
    gas: new SqlGasBook(db),
    swapPins: new SqlSwapPins(db),
    swapRecords: new SqlSwapRecords(db),
    swapVerdicts: new SqlSwapVerdicts(db),
  };
}
