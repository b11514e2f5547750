import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { finished, required } from './table.js';

/** Names of the steps as the first release had them. */
const STEP_NAMES = [
  'deposit_detected',
  'swap_source_token',
  'bridge_to_destination',
  'swap_destination_token',
  'send_to_recipient',
] as const;

/** A step has a time only if the one before it has one that is not later. */
const STEPS_IN_ORDER = STEP_NAMES.slice(1)
  .map(
    (step, index) =>
      `(${step}_at is null or (${STEP_NAMES[index]}_at is not null and ${STEP_NAMES[index]}_at <= ${step}_at))`,
  )
  .join(' and ');

/** The table of cross-chain transfers: what was seen of each, and when. */
export function transfersSchema(dialect: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      const table = db.schema
        .createTable('transfers')
        .addColumn('transaction_id', 'text', (column) => column.notNull().primaryKey())
        .addColumn('changed_at_ms', dialect.integer, required)
        .addColumn('next', 'text', required)
        .addColumn('refunded', dialect.integer, required)
        .addColumn('deposit_detected_at', dialect.integer)
        .addColumn('swap_source_token_at', dialect.integer)
        .addColumn('bridge_to_destination_at', dialect.integer)
        .addColumn('swap_destination_token_at', dialect.integer)
        .addColumn('send_to_recipient_at', dialect.integer)
        .addColumn('deposit_detected_tx', 'text')
        .addColumn('swap_source_token_tx', 'text')
        .addColumn('bridge_to_destination_tx', 'text')
        .addColumn('swap_destination_token_tx', 'text')
        .addColumn('send_to_recipient_tx', 'text')
        .addCheckConstraint('transfers_next', sql`next in ('pending', 'processing', 'failed')`)
        .addCheckConstraint(
          'transfers_refunded',
          sql`refunded = 0 or (refunded = 1 and next = 'failed')`,
        )
        .addCheckConstraint('transfers_steps_in_order', sql.raw(STEPS_IN_ORDER))
        .addCheckConstraint(
          'transfers_nothing_after_the_last_step',
          sql`send_to_recipient_at is null or next = 'pending'`,
        );
      await finished(table, dialect).execute();
      await db.schema
        .createIndex('transfers_by_change')
        .on('transfers')
        .column('changed_at_ms')
        .execute();
    },
  };
}
