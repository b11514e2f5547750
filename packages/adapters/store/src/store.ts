import { randomUUID } from 'node:crypto';
import type { TransferStore } from '@sotto/bridge-core';
import type { LeverageTargets } from '@sotto/curator-core';
import type { TaskStore, TaskLeases } from '@sotto/keeper-core';
import type { ClosesStore, OrderStore } from '@sotto/dca-core';
import type { AlertStore, DeliveryStore } from '@sotto/webhook-core';
import type {
  SubmissionLocks,
  GasStore,
  SettlementHistory,
  OperatorLog,
  PoolControls,
  QuoteStore,
  SponsorBudgets,
  SwapPins,
  SwapRecords,
  TopUpStore,
  TrafficStore,
} from '@sotto/relayer-core';
import type { RewardRates } from '@sotto/staking-core';
import type {
  AuditStore,
  Decision,
  InstanceBus,
  Ledger,
  LedgerArchive,
  StoreHealth,
  SubmissionCommand,
  MachineState,
  SubmissionRegister,
} from '@sotto/submission-core';
import { silentLogger, systemClock, type Clock, type Logger } from '@sotto/kernel';
import type { Kysely } from 'kysely';
import type { SqlDialect } from './sql-dialect.js';
import { withStoreErrors, type Promising } from './map-store-errors.js';
import type { StoreSchema } from './schema.js';
import { frozenMigrations, type FrozenMigration } from './migrations/frozen-migrations.js';
import type { MigrationOptions } from './migrations/migrate.js';
import type { SchemaWatch } from './migrations/schema-watch.js';
import { SqlStoreHealth } from './sql-store-health.js';
import { SqlAuditStore } from './ledger/sql-audit-store.js';
import { SqlSubmissionRegister } from './ledger/sql-submission-register.js';
import { SqlOperatorLog } from './guard/sql-operator-log.js';
import { SqlSponsorBudgets } from './guard/sql-sponsor-budgets.js';
import { SqlSubmissionLocks } from './guard/sql-submission-locks.js';
import { SqlGasStore } from './quotes/sql-gas-store.js';
import { SqlLedger } from './ledger/sql-ledger.js';
import { SqlLedgerArchive } from './ledger/sql-ledger-archive.js';
import { SqlLeverageTargets } from './keeper/sql-leverage-targets.js';
import { SqlTaskStore } from './keeper/sql-task-store.js';
import { SqlTaskLeases } from './keeper/sql-task-leases.js';
import { SqlSettlementHistory } from './guard/sql-settlement-history.js';
import { SqlPoolControls } from './guard/sql-pool-controls.js';
import { SqlQuoteStore } from './quotes/sql-quote-store.js';
import { SqlTopUpStore } from './guard/sql-top-up-store.js';
import { SqlTrafficStore } from './guard/sql-traffic-store.js';
import { SqlSwapPins } from './swaps/sql-swap-pins.js';
import { SqlSwapRecords } from './swaps/sql-swap-records.js';
import { SqlTransferStore } from './transfers/sql-transfer-store.js';
import { SqlRewardRates } from './yields/sql-reward-rates.js';
import { SqlClosesStore } from './purchases/sql-closes-store.js';
import { SqlOrderStore } from './purchases/sql-order-store.js';
import { SqlAlertStore } from './webhooks/sql-alert-store.js';
import { SqlDeliveryStore } from './webhooks/sql-delivery-store.js';

/** Options that are common to all databases. */
export interface StoreOptions {
  /** State machine that decides commands. @default `decide` of submission-core */
  readonly decide?: (event: SubmissionCommand, view: MachineState) => Decision;
  /** Clock that measures the age of a probe result. @default systemClock */
  readonly probeClock?: Pick<Clock, 'monotonicMs'>;
  /**
   * Name of this process, unique among the processes that have the store open. The process leases
   * lanes under this name.
   * @default a random name
   */
  readonly instance?: string;
  /**
   * Hash of the network profile of this process. Processes on one store that have different
   * profiles log that their settings disagree.
   * @default the profiles are not compared
   */
  readonly profile?: string;
  /**
   * Longest wait for instances of older releases to stop, in milliseconds. The wait precedes a
   * migration that excludes these instances.
   * @default 90 s, more than the default LEASE_TTL_MS and less than the time allowed for a start
   */
  readonly olderInstancesMs?: number;
  /** Clock that measures the wait for older instances; tests only. @default systemClock */
  readonly waitClock?: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /**
   * Migrations to apply instead of this release's, to simulate another release; tests only.
   * @default the migrations of this release
   */
  readonly migrations?: readonly FrozenMigration[];
  /** Logger of the store. @default no logging */
  readonly logger?: Logger;
}

/** Returns the options of the migrations, with their defaults applied. */
export function migrationOptions(
  options: StoreOptions,
  dialect: SqlDialect['name'],
): MigrationOptions {
  const { instance = randomUUID(), olderInstancesMs = 90_000, logger = silentLogger } = options;
  const { profile = null } = options;
  const { migrations: known = frozenMigrations(dialect), waitClock = systemClock } = options;
  return { instance, profile, olderInstancesMs, waitClock, logger, known };
}

export abstract class OpenedStore {
  abstract readonly ledger: Ledger;
  /** Access to the ledger's rows for the auditor, which compares the rows with the chain. */
  abstract readonly audit: AuditStore;
  abstract readonly archive: LedgerArchive;
  /** Health and size of the store. */
  abstract readonly health: StoreHealth;
  /** Access to the ledger's submissions for operators. */
  abstract readonly register: SubmissionRegister;
  abstract readonly operatorLog: OperatorLog;
  abstract readonly quotes: QuoteStore;
  abstract readonly transfers: TransferStore;
  abstract readonly settlements: SettlementHistory;
  abstract readonly traffic: TrafficStore;
  abstract readonly topUps: TopUpStore;
  abstract readonly poolControls: PoolControls;
  abstract readonly locks: SubmissionLocks;
  abstract readonly sponsorBudgets: SponsorBudgets;
  abstract readonly gas: GasStore;
  abstract readonly swapPins: SwapPins;
  abstract readonly swapRecords: SwapRecords;
  abstract readonly taskLeases: TaskLeases;
  abstract readonly taskBook: TaskStore;
  abstract readonly purchaseOrders: OrderStore;
  abstract readonly dailyCloses: ClosesStore;
  abstract readonly rewardRates: RewardRates;
  abstract readonly leverageTargets: LeverageTargets;
  abstract readonly webhookDeliveries: DeliveryStore;
  abstract readonly webhookAlerts: AlertStore;
  /** Notifications between the instances that have the store open. */
  abstract readonly bus: InstanceBus;
  /**
   * Closes the store after the running calls have ended. Later calls reject with
   * `LedgerUnavailable`.
   */
  abstract readonly close: () => Promise<void>;
}

/**
 * Name of a store within an opened store. The bus is excluded, because its calls return nothing.
 */
export type StoreName = Exclude<keyof OpenedStore, 'bus' | 'close'>;

/** Classes of stores that need only the database and its dialect. */
const STORES = {
  audit: SqlAuditStore,
  register: SqlSubmissionRegister,
  operatorLog: SqlOperatorLog,
  quotes: SqlQuoteStore,
  transfers: SqlTransferStore,
  settlements: SqlSettlementHistory,
  traffic: SqlTrafficStore,
  topUps: SqlTopUpStore,
  poolControls: SqlPoolControls,
  locks: SqlSubmissionLocks,
  sponsorBudgets: SqlSponsorBudgets,
  gas: SqlGasStore,
  swapPins: SqlSwapPins,
  swapRecords: SqlSwapRecords,
  taskLeases: SqlTaskLeases,
  taskBook: SqlTaskStore,
  purchaseOrders: SqlOrderStore,
  dailyCloses: SqlClosesStore,
  rewardRates: SqlRewardRates,
  leverageTargets: SqlLeverageTargets,
  webhookDeliveries: SqlDeliveryStore,
  webhookAlerts: SqlAlertStore,
} as const satisfies {
  readonly [Name in Exclude<StoreName, 'ledger' | 'health' | 'archive'>]: new (
    db: Kysely<StoreSchema>,
    dialect: SqlDialect,
  ) => OpenedStore[Name] & Promising<OpenedStore[Name]>;
};
const CLASSES = {
  ledger: SqlLedger,
  health: SqlStoreHealth,
  archive: SqlLedgerArchive,
  ...STORES,
} as const;

/** Names of the calls of each store, which are the methods of its class. */
export const STORE_METHODS: Readonly<Record<StoreName, readonly string[]>> = eachOf(
  CLASSES,
  ({ prototype }) =>
    Object.getOwnPropertyNames(prototype).filter((method) => method !== 'constructor'),
);

function eachOf<Name extends string, Value, Made>(
  values: Readonly<Record<Name, Value>>,
  make: (value: Value) => Made,
): Readonly<Record<Name, Made>> {
  const made = Object.entries<Value>(values).map(([name, value]) => [name, make(value)] as const);
  // CAST: a constant has exactly the keys of its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(made) as Record<Name, Made>;
}

/** Opens all stores of one database. Errors of their calls become `LedgerUnavailable`. */
export function storeOn(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
  { probeClock }: Pick<StoreOptions, 'probeClock'>,
  ledger: SqlLedger,
  schema: SchemaWatch,
): Pick<OpenedStore, StoreName> {
  const made = eachOf(STORES, (Store): object => withStoreErrors(new Store(db, dialect)));
  return {
    // CAST: each name has a store of the class with that name.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...(made as Pick<OpenedStore, keyof typeof STORES>),
    ledger: withStoreErrors<Ledger>(ledger),
    health: withStoreErrors<StoreHealth>(new SqlStoreHealth(schema, dialect, probeClock)),
    // The archive maps its errors itself, because errors of the caller's `keep` are not errors of
    // the store.
    archive: new SqlLedgerArchive(db, dialect),
  };
}
