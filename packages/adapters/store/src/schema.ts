import type { StepName, Transfer } from '@sotto/bridge-core';
import type { OperatorAction, SkipReason, TaskName } from '@sotto/facts';
import type { Felt } from '@sotto/kernel';
import type { LearntOperation, QuotedOperation } from '@sotto/relayer-core';
import type {
  AttemptState,
  ExecutionStatus,
  LaneRole,
  NonceState,
  Quarantine,
  TransactionRow,
} from '@sotto/submission-core';
import { LIVE_STATES } from '@sotto/submission-core';
import { sql, type Generated } from 'kysely';

/**
 * Decimal text. Amounts in fri and prices need up to 128 bits, but the integers of both databases
 * have only 64 bits with a sign.
 */
export type Decimal = string;

/** Boolean as 0 or 1. */
type Flag = bigint;

/** Table of attempts. In every table, integer columns are read as bigint. */
export interface AttemptsTable {
  readonly seq: Generated<bigint>;
  readonly key: string;
  readonly attempt: bigint;
  readonly id: string;
  readonly state: AttemptState;
  readonly effect: string;
  readonly fingerprint: string;
  readonly kind: string;
  readonly subject: Felt;
  readonly memo: string | null;
  readonly role: LaneRole;
  readonly target_to: Felt;
  readonly target_entrypoint: string;
  readonly limit_l2_gas: Decimal;
  readonly limit_l1_gas: Decimal;
  readonly limit_l1_data_gas: Decimal;
  readonly price_multiplier: Decimal;
  readonly fee_amount: Decimal | null;
  readonly fee_token: Felt | null;
  readonly cost_fri: Decimal | null;
  readonly strk_usd_e8: Decimal | null;
  readonly fee_token_usd_e8: Decimal | null;
  /**
   * Resource bounds, as text in the format of the submitting core; null for calls without resource
   * bounds.
   */
  readonly bounds: string | null;
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
  readonly readmit: Flag;
  readonly accepted_at_ms: bigint;
  readonly deadline_ms: bigint;
  /** Last block in which the call can succeed; null if every block is possible. */
  readonly deadline_block: bigint | null;
  readonly ended_at_ms: bigint | null;
  readonly refusal_code: string | null;
  readonly transaction_hash: Felt | null;
  readonly revert_reason: string | null;
  readonly gas_paid_fri: Decimal | null;
  readonly replay_protected: Flag;
  readonly avoid_lane: Felt | null;
  readonly is_final: Flag;
  readonly undone_hash: Felt | null;
  readonly undone_execution: ExecutionStatus | null;
  readonly undone_at_ms: bigint | null;
  /**
   * Redaction progress: 0 means that nothing is deleted, 1 that the calldata is deleted, 2 that the
   * signed bytes are also deleted. Every other write of the row resets the progress to 0.
   */
  readonly wiped: bigint;
}

export interface NoncesTable {
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly state: NonceState;
  readonly owner_key: string | null;
  readonly owner_attempt: bigint | null;
  readonly through: bigint;
  readonly version: bigint;
  readonly settled_by: Felt | null;
  readonly is_foreign: Flag | null;
  readonly execution: ExecutionStatus | null;
  readonly block_number: bigint | null;
  readonly block_hash: Felt | null;
  readonly fee_fri: Decimal | null;
  readonly disproves_refusal: Flag | null;
  readonly settled_at_ms: bigint | null;
  readonly is_final: Flag | null;
  /**
   * Value 1 if the signed bytes are deleted. Every other write of the row resets the value to 0.
   */
  readonly wiped: Flag;
}

export interface TransactionsTable {
  readonly seq: Generated<bigint>;
  readonly hash: Felt;
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly kind: 'call' | 'noop';
  readonly attempt_key: string | null;
  readonly attempt_number: bigint | null;
  readonly price_step: bigint;
  readonly l2_max_amount: Decimal;
  readonly l2_max_price_fri: Decimal;
  readonly l1_max_amount: Decimal;
  readonly l1_max_price_fri: Decimal;
  readonly l1_data_max_amount: Decimal;
  readonly l1_data_max_price_fri: Decimal;
  readonly tip_fri: Decimal;
  readonly claims: bigint;
  readonly claim_fence: bigint | null;
  readonly claimed_at_ms: bigint | null;
  readonly claim_node: string | null;
  readonly gone: TransactionRow['gone'];
  readonly refusal_code: string | null;
  readonly seen_execution: ExecutionStatus | null;
  readonly seen_revert_reason: string | null;
}

export interface LanesTable {
  readonly address: Felt;
  readonly role: LaneRole;
  readonly leased_to: string | null;
  readonly fence: bigint;
  readonly lease_until_ms: bigint;
  /**
   * Time of the lease's start or last renewal. When the store is reopened, its time does not start
   * before this time.
   */
  readonly leased_at_ms: bigint;
  readonly next_nonce: bigint | null;
  readonly quarantine_cause: Quarantine['cause'] | null;
  readonly quarantine_until: bigint | null;
  readonly quarantine_since_ms: bigint | null;
  readonly quarantine_is_aged: Flag | null;
  readonly paused_for: string | null;
  /** Highest archived nonce of the lane. One row represents all archived nonces. */
  readonly archived_through: Generated<bigint | null>;
}

/** Table with a single row: the chain to which the ledger belongs. */
export interface ChainTable {
  readonly id: bigint;
  readonly chain_id: Felt | null;
  readonly genesis_hash: Felt | null;
  readonly last_block: bigint | null;
  readonly possible_copy_since_ms: Generated<bigint | null>;
}

/**
 * Table of calldata. Calldata has a separate table, because SQLite rewrites a whole row on every
 * update.
 */
export interface CalldataTable {
  readonly submission_id: string;
  /** Calldata as packed felts; in rows of earlier releases as 32-byte big-endian words. */
  readonly words: Uint8Array;
}

export interface SignedBytesTable {
  readonly hash: Felt;
  /** Signed bytes without the call's calldata, which is stored with the attempt. */
  readonly bytes: Uint8Array;
  /** Hash of the complete signed bytes; null in rows of earlier releases. */
  readonly sha256: Uint8Array | null;
  /** Byte offset in `bytes` at which the calldata was removed; null if no calldata was removed. */
  readonly calldata_at: bigint | null;
}

export interface QuotesTable {
  readonly id: string;
  readonly chain_id: Felt;
  readonly pool: Felt;
  readonly relayer: Felt;
  readonly fee_amount: Decimal;
  readonly expires_at_ms: bigint;
  readonly operation: QuotedOperation;
  /** Leaf index for notes of the swap pool; null otherwise. */
  readonly leaf_index: bigint | null;
  /** STRK that the quoted withdrawal gives to its recipient, in fri; null for none. */
  readonly recipient_gas_fri: Decimal | null;
  /** Key of the withdrawal that used the quote; null while the quote is unused. */
  readonly served_key: string | null;
}

/** Completion time of each step, in Unix seconds. */
type StepTimes = { readonly [Step in StepName as `${Step}_at`]: bigint | null };
type StepTransactions = { readonly [Step in StepName as `${Step}_tx`]: string | null };

export interface TransfersTable extends StepTimes, StepTransactions {
  readonly transaction_id: string;
  readonly changed_at_ms: bigint;
  readonly next: Transfer['next'];
  readonly refunded: Flag;
  /** Output amount in whole units of the asset, with the unit. */
  readonly output_amount: string | null;
  /**
   * Chain of the sent asset. Null, as are the other terms of the transfer, if the transfer was not
   * quoted by this service.
   */
  readonly from_chain: string | null;
  readonly from_token: string | null;
  readonly to_chain: string | null;
  readonly to_token: string | null;
  /** Sent amount as decimal digits, in the asset's smallest unit. */
  readonly amount: string | null;
  readonly estimated_output: string | null;
  readonly recipient: string | null;
  readonly deposit_address: string | null;
  readonly deposit_memo: string | null;
  /** Deadline of the deposit, in Unix seconds. */
  readonly deposit_deadline: bigint | null;
  readonly observed_at_ms: bigint | null;
  /** Time since which the delivery is unconfirmed, in Unix seconds. */
  readonly unconfirmed_since: bigint | null;
  readonly deposit_incomplete: Flag | null;
  /**
   * Amount that is missing from the output. This and the following amounts are in whole units of
   * the asset, with the unit.
   */
  readonly shortfall: string | null;
  readonly deposited_amount: string | null;
  readonly missing_amount: string | null;
  readonly refunded_amount: string | null;
  readonly reason_text: string | null;
}

export interface PoolControlsTable {
  readonly pool: Felt;
  readonly paused_at_ms: bigint | null;
  readonly pause_reason: string | null;
  readonly resumed_at_ms: bigint;
  readonly upstream_failures: bigint;
  readonly upstream_failed_at_ms: bigint;
}

interface ClaimsTable {
  readonly name: string;
  readonly holder: string;
  readonly since_ms: bigint;
}

/** Gas that a sponsor has promised on a day. */
interface SponsorSpendingTable {
  readonly sponsor: string;
  /** Days since 1 January 1970, UTC. */
  readonly day: bigint;
  readonly reserved_fri: Decimal;
}

interface SwapPinsTable {
  /** SHA-256 of the note's key, in hex. */
  readonly note: string;
  /** Commitment of the swap's output note, in hex. */
  readonly new_commitment: string;
  readonly output_token: Felt;
  readonly floor: Decimal;
}

interface GasUsesTable {
  readonly transaction_hash: Felt;
  readonly pool: Felt;
  readonly operation: LearntOperation;
  readonly l2_gas: bigint;
  readonly l1_data_gas: bigint;
  readonly ended_at_ms: bigint;
}

interface SwapOwnersTable {
  readonly address: Felt;
  /** Lowest nonce of the account whose transaction was not yet searched for swap pins. */
  readonly read_up_to: bigint;
}

interface TaskLeasesTable {
  readonly task: TaskName;
  readonly holder: string;
  /** Time at which the lease was acquired or last renewed. */
  readonly held_at_ms: bigint;
  readonly until_ms: bigint;
}

export interface TaskControlsTable {
  readonly task: TaskName;
  /** Subject of the task; empty for the whole task. */
  readonly subject: string;
  readonly paused_at_ms: bigint | null;
  readonly pause_reason: string | null;
  readonly resumed_at_ms: bigint;
}

export interface TaskPollsTable {
  readonly task: TaskName;
  readonly subject: string;
  readonly at_ms: bigint;
  /** Reason why the poll submitted no transaction; null if the poll submitted a transaction. */
  readonly reason: SkipReason | null;
  readonly due_at_ms: bigint | null;
  /** Id of the submission; null if the poll submitted nothing. */
  readonly submission_id: string | null;
  /** Details of the poll as JSON. */
  readonly details: string;
  readonly acted_at_ms: bigint | null;
  readonly acted_submission_id: string | null;
  /**
   * Time since which all polls have had the same result: a submission, or this reason for skipping.
   */
  readonly since_ms: bigint;
}

interface LeverageTargetsTable {
  readonly vault: Felt;
  /** Target leverage: collateral divided by equity, in basis points. */
  readonly target_bps: bigint;
  readonly set_at_ms: bigint;
}

interface MigrationHashesTable {
  readonly name: string;
  /** Hash of the migration's text, in hex. */
  readonly sha256: string;
  /**
   * Oldest schema whose instances may run concurrently with this migration. Null for migrations
   * before 0026.
   */
  readonly runs_beside: Generated<bigint | null>;
}

interface InstancesTable {
  readonly id: string;
  /** Newest schema that the process supports. */
  readonly schema: bigint;
  readonly seen_at_ms: bigint;
  /** Hash of the process's network profile; null if the process did not state it. */
  readonly profile: string | null;
}

interface PurchaseProgressTable {
  readonly contract: Felt;
  readonly next_block: bigint;
  readonly safe_number: bigint;
  readonly safe_hash: Felt;
}

interface PurchaseOrdersTable {
  readonly contract: Felt;
  /** Id of the purchase order in decimal, padded to 20 digits. */
  readonly order_id: string;
  readonly has_ended: Flag;
}

export interface OperatorActionsTable {
  readonly id: Generated<bigint>;
  readonly at_ms: bigint;
  /** Name of the API token that the operator used. */
  readonly holder: string;
  readonly action: OperatorAction;
  readonly subject: string;
  readonly reason: string | null;
  /** Outcome of the action; null while the action is running. */
  readonly outcome: string | null;
}

interface DailyClosesTable {
  /** Day for which the value applies, as the number of days since 1970-01-01 in UTC. */
  readonly day: bigint;
  readonly source: string;
  readonly usd_e8: Decimal;
}

interface RewardRatesTable {
  readonly pool: string;
  readonly asset: string;
  /** Rate per year; 1e18 means 100 %. */
  readonly apr_e18: Decimal;
  readonly read_at_ms: bigint;
}

interface CanaryTable {
  readonly id: bigint;
  /** Number of writing transactions in a SQLite file; unused on PostgreSQL. */
  readonly writes: bigint;
  /**
   * Identity of the SQLite file, or of the PostgreSQL cluster and its timeline. Null before the
   * first opening.
   */
  readonly origin: Generated<string | null>;
}

interface WebhookDeliveriesTable {
  readonly id: string;
  readonly kind: 'submission' | 'alert';
  /** Id of the submission, or code of the alert. */
  readonly subject: string;
  /** Component of an alert; empty for a submission. */
  readonly component: string;
  readonly endpoint: string;
  readonly slot: bigint;
  readonly version: bigint;
  readonly sequence: bigint;
  readonly delivered_state: string | null;
  readonly wanted_state: string | null;
  readonly wanted_since_ms: bigint | null;
  readonly failures: bigint;
  readonly due_at_ms: bigint;
  readonly added_at_ms: bigint;
}

interface WebhookAlertsTable {
  readonly code: string;
  readonly component: string;
  readonly instance: string;
  readonly since_ms: bigint;
  readonly seen_at_ms: bigint;
}

interface LaneCandidatesTable {
  readonly lane: Felt;
  readonly instance: string;
  readonly until_ms: bigint;
}

interface AttemptReservationsTable {
  readonly id: string;
  readonly instance: string;
  readonly until_ms: bigint;
}

export interface StoreSchema {
  canary: CanaryTable;
  attempts: AttemptsTable;
  nonces: NoncesTable;
  transactions: TransactionsTable;
  lanes: LanesTable;
  lane_candidates: LaneCandidatesTable;
  attempt_reservations: AttemptReservationsTable;
  chain: ChainTable;
  calldata: CalldataTable;
  signed_bytes: SignedBytesTable;
  quotes: QuotesTable;
  transfers: TransfersTable;
  pool_controls: PoolControlsTable;
  claims: ClaimsTable;
  sponsor_spending: SponsorSpendingTable;
  gas_uses: GasUsesTable;
  swap_pins: SwapPinsTable;
  swap_owners: SwapOwnersTable;
  task_leases: TaskLeasesTable;
  task_controls: TaskControlsTable;
  task_looks: TaskPollsTable;
  leverage_targets: LeverageTargetsTable;
  migration_hashes: MigrationHashesTable;
  instances: InstancesTable;
  purchase_progress: PurchaseProgressTable;
  purchase_orders: PurchaseOrdersTable;
  daily_closes: DailyClosesTable;
  reward_rates: RewardRatesTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_alerts: WebhookAlertsTable;
  operator_actions: OperatorActionsTable;
}

const liveStates = sql.join(LIVE_STATES.map((state) => sql.lit(state)));

/**
 * Predicates of the partial indexes. Indexes and queries use the same text. SQLite uses a partial
 * index only if the query implies the index's predicate, and parameters in the query would prevent
 * that.
 */
export const ATTEMPT_IS_LIVE = sql<boolean>`attempts.state in (${liveStates})`;
export const ATTEMPT_HAS_ENDED = sql<boolean>`attempts.ended_at_ms is not null`;
export const ATTEMPT_WAITS = sql<boolean>`attempts.state = 'accepted'`;
export const NONCE_IS_OPEN = sql<boolean>`nonces.state = 'open'`;
export const NONCE_IS_FINAL = sql<boolean>`nonces.is_final = 1`;
export const NONCE_IS_UNFINAL = sql<boolean>`nonces.is_final = 0`;
export const NONCE_DISPROVES_REJECTION = sql<boolean>`nonces.disproves_refusal = 1`;
export const ENDED_ATTEMPT_IS_KEPT = sql<boolean>`attempts.wiped < 2 and attempts.ended_at_ms is not null`;
export const FINAL_ATTEMPT_IS_KEPT = sql<boolean>`attempts.wiped = 0 and attempts.is_final = 1`;
export const SETTLED_NONCE_IS_KEPT = sql<boolean>`nonces.wiped = 0 and nonces.settled_at_ms is not null`;
export const FINAL_NONCE_IS_KEPT = sql<boolean>`nonces.wiped = 0 and nonces.is_final = 1`;
export const ORDER_IS_OPEN = sql<boolean>`purchase_orders.has_ended = 0`;
