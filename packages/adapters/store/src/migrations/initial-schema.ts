import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { finished, required } from './table.js';

/*
 * Predicates of its partial indexes as the first release had them: what the code calls a live
 * attempt has changed since.
 */
const ATTEMPT_IS_LIVE = sql<boolean>`attempts.state in ('accepted', 'prepared', 'broadcast')`;
const ATTEMPT_WAITS = sql<boolean>`attempts.state = 'accepted'`;
const NONCE_IS_OPEN = sql<boolean>`nonces.state = 'open'`;

/**
 * The tables of the submission machine. Whatever the transition table calls a constraint is held
 * here, by the database: a wrong decision is refused and changes nothing.
 */
export function initialSchema(dialect: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      await createLanes(db, dialect);
      await createAttempts(db, dialect);
      await createNonces(db, dialect);
      await createTransactions(db, dialect);
      await createSideTables(db, dialect);
    },
  };
}

async function createLanes(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<void> {
  const table = db.schema
    .createTable('lanes')
    .addColumn('address', 'text', (column) => column.notNull().primaryKey())
    .addColumn('role', 'text', required)
    .addColumn('leased_to', 'text')
    .addColumn('fence', dialect.integer, required)
    .addColumn('lease_until_ms', dialect.integer, required)
    .addCheckConstraint('lanes_role', sql`role in ('relay', 'swap_owner', 'curator')`);
  await finished(table, dialect).execute();
}

async function createAttempts(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<void> {
  const table = db.schema
    .createTable('attempts')
    .addColumn('seq', dialect.integer, (column) => dialect.runningNumber(column))
    .addColumn('key', 'text', required)
    .addColumn('attempt', dialect.integer, required)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('state', 'text', required)
    .addColumn('fingerprint', 'text', required)
    .addColumn('role', 'text', required)
    .addColumn('target_to', 'text', required)
    .addColumn('target_entrypoint', 'text', required)
    .addColumn('limit_l2_gas', 'text', required)
    .addColumn('limit_l1_gas', 'text', required)
    .addColumn('limit_l1_data_gas', 'text', required)
    .addColumn('price_multiplier', 'text', required)
    .addColumn('fee_amount', 'text')
    .addColumn('fee_token', 'text')
    .addColumn('cost_fri', 'text')
    .addColumn('strk_usd_e8', 'text')
    .addColumn('fee_token_usd_e8', 'text')
    .addColumn('lane', 'text', (column) => column.references('lanes.address'))
    .addColumn('nonce', dialect.integer)
    .addColumn('readmit', dialect.integer, required)
    .addColumn('accepted_at_ms', dialect.integer, required)
    .addColumn('deadline_ms', dialect.integer, required)
    .addColumn('ended_at_ms', dialect.integer)
    .addColumn('refusal_code', 'text')
    .addColumn('transaction_hash', 'text')
    .addColumn('revert_reason', 'text')
    .addColumn('gas_paid_fri', 'text')
    .addUniqueConstraint('attempts_key_attempt', ['key', 'attempt'])
    .addCheckConstraint('attempts_numbered_from_one', sql`attempt >= 1`)
    .addCheckConstraint(
      'attempts_state',
      sql`state in ('accepted', 'prepared', 'broadcast', 'succeeded', 'reverted', 'refused', 'expired')`,
    )
    .addCheckConstraint('attempts_role', sql`role in ('relay', 'swap_owner', 'curator')`)
    .addCheckConstraint('attempts_readmit', sql`readmit in (0, 1)`)
    .addCheckConstraint('attempts_lane_with_nonce', sql`(lane is null) = (nonce is null)`)
    .addCheckConstraint(
      'attempts_nonce_by_state',
      sql`(nonce is null) = (state in ('accepted', 'refused', 'expired'))`,
    )
    .addCheckConstraint(
      'attempts_end_time_by_state',
      sql`(ended_at_ms is null) = (state in ('accepted', 'prepared', 'broadcast'))`,
    )
    .addCheckConstraint(
      'attempts_receipt_by_state',
      sql`(transaction_hash is not null) = (state in ('succeeded', 'reverted'))`,
    )
    .addCheckConstraint(
      'attempts_code_by_state',
      sql`(refusal_code is not null) = (state in ('refused', 'expired'))`,
    )
    .addCheckConstraint(
      'attempts_terms_whole',
      sql`(fee_amount is null) = (fee_token is null) and (fee_amount is null) = (cost_fri is null)
        and (fee_amount is null) = (strk_usd_e8 is null) and (fee_amount is null) = (fee_token_usd_e8 is null)`,
    );
  await finished(table, dialect).execute();
  await db.schema
    .createIndex('attempts_one_live_per_key')
    .on('attempts')
    .column('key')
    .unique()
    .where(ATTEMPT_IS_LIVE)
    .execute();
  await db.schema
    .createIndex('attempts_one_live_per_nonce')
    .on('attempts')
    .columns(['lane', 'nonce'])
    .unique()
    .where(ATTEMPT_IS_LIVE)
    .execute();
  await db.schema
    .createIndex('attempts_waiting')
    .on('attempts')
    .columns(['role', 'seq'])
    .where(ATTEMPT_WAITS)
    .execute();
}

async function createNonces(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<void> {
  const table = db.schema
    .createTable('nonces')
    .addColumn('lane', 'text', (column) => column.notNull().references('lanes.address'))
    .addColumn('nonce', dialect.integer, required)
    .addColumn('state', 'text', required)
    .addColumn('owner_key', 'text')
    .addColumn('owner_attempt', dialect.integer)
    .addColumn('settled_by', 'text')
    .addColumn('gas_paid_fri', 'text')
    .addPrimaryKeyConstraint('nonces_lane_nonce', ['lane', 'nonce'])
    .addForeignKeyConstraint('nonces_owner', ['owner_key', 'owner_attempt'], 'attempts', [
      'key',
      'attempt',
    ])
    .addCheckConstraint('nonces_from_zero', sql`nonce >= 0`)
    .addCheckConstraint('nonces_state', sql`state in ('open', 'settled')`)
    .addCheckConstraint(
      'nonces_taker_by_state',
      sql`(settled_by is not null) = (state = 'settled')`,
    )
    .addCheckConstraint('nonces_owner_whole', sql`(owner_key is null) = (owner_attempt is null)`);
  await finished(table, dialect).execute();
  await db.schema
    .createIndex('nonces_open')
    .on('nonces')
    .columns(['lane', 'nonce'])
    .where(NONCE_IS_OPEN)
    .execute();
}

async function createTransactions(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<void> {
  const table = db.schema
    .createTable('transactions')
    .addColumn('seq', dialect.integer, (column) => dialect.runningNumber(column))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('lane', 'text', required)
    .addColumn('nonce', dialect.integer, required)
    .addColumn('kind', 'text', required)
    .addColumn('attempt_key', 'text')
    .addColumn('attempt_number', dialect.integer)
    .addColumn('price_step', dialect.integer, required)
    .addColumn('l2_max_amount', 'text', required)
    .addColumn('l2_max_price_fri', 'text', required)
    .addColumn('l1_max_amount', 'text', required)
    .addColumn('l1_max_price_fri', 'text', required)
    .addColumn('l1_data_max_amount', 'text', required)
    .addColumn('l1_data_max_price_fri', 'text', required)
    .addColumn('tip_fri', 'text', required)
    .addColumn('claims', dialect.integer, required)
    .addColumn('claim_fence', dialect.integer)
    .addColumn('claimed_at_ms', dialect.integer)
    .addColumn('dead', dialect.integer, required)
    .addColumn('refusal_code', 'text')
    .addColumn('seen_execution', 'text')
    .addColumn('seen_revert_reason', 'text')
    .addUniqueConstraint('transactions_one_per_step', ['lane', 'nonce', 'price_step', 'kind'])
    .addForeignKeyConstraint('transactions_nonce', ['lane', 'nonce'], 'nonces', ['lane', 'nonce'])
    .addForeignKeyConstraint(
      'transactions_attempt',
      ['attempt_key', 'attempt_number'],
      'attempts',
      ['key', 'attempt'],
    )
    .addCheckConstraint('transactions_kind', sql`kind in ('call', 'noop')`)
    .addCheckConstraint(
      'transactions_attempt_by_kind',
      sql`(attempt_key is not null) = (kind = 'call')`,
    )
    .addCheckConstraint(
      'transactions_attempt_whole',
      sql`(attempt_key is null) = (attempt_number is null)`,
    )
    .addCheckConstraint('transactions_price_step', sql`price_step >= 0`)
    .addCheckConstraint('transactions_claims', sql`claims in (0, 1, 2)`)
    .addCheckConstraint(
      'transactions_claim_whole',
      sql`(claims = 0) = (claim_fence is null) and (claim_fence is null) = (claimed_at_ms is null)`,
    )
    .addCheckConstraint('transactions_dead', sql`dead in (0, 1)`)
    .addCheckConstraint('transactions_seen', sql`seen_execution in ('SUCCEEDED', 'REVERTED')`);
  await finished(table, dialect).execute();
  await db.schema
    .createIndex('transactions_of_attempt')
    .on('transactions')
    .columns(['attempt_key', 'attempt_number', 'seq'])
    .execute();
}

async function createSideTables(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<void> {
  const calldata = db.schema
    .createTable('calldata')
    .addColumn('submission_id', 'text', (column) =>
      column.notNull().primaryKey().references('attempts.id'),
    )
    .addColumn('words', dialect.bytes, required);
  await finished(calldata, dialect).execute();
  const signedBytes = db.schema
    .createTable('signed_bytes')
    .addColumn('hash', 'text', (column) =>
      column.notNull().primaryKey().references('transactions.hash'),
    )
    .addColumn('bytes', dialect.bytes, required);
  await finished(signedBytes, dialect).execute();
}
