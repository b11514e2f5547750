import { LedgerUnavailable } from '@sotto/submission-core';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { mapStoreErrors } from '../map-store-errors.js';
import type { SqlDialect } from '../sql-dialect.js';
import { gasSchema } from './gas-schema.js';
import { initialSchema } from './initial-schema.js';
import { moneySchema } from './money-schema.js';
import { quotesSchema } from './quotes-schema.js';
import { quoteUsesSchema } from './quote-uses-schema.js';
import type { StoreSchema } from '../schema.js';
import { settlementsSchema } from './settlements-schema.js';
import { swapPinsSchema } from './swap-pins-schema.js';
import { swapVerdictsSchema } from './swap-verdicts-schema.js';
import { transferOutputSchema } from './transfer-output-schema.js';
import { transfersSchema } from './transfers-schema.js';

/** Names sort in the order of their running; a released migration never changes. */
function migrations(dialect: SqlDialect): Record<string, Migration> {
  return {
    '0001_submission_machine': initialSchema(dialect),
    '0002_quotes': quotesSchema(dialect),
    '0003_transfers': transfersSchema(dialect),
    '0004_money': moneySchema(dialect),
    '0005_settlements': settlementsSchema(dialect),
    '0006_transfer_output': transferOutputSchema,
    '0007_gas': gasSchema(dialect),
    '0008_swap_pins': swapPinsSchema(dialect),
    '0009_quote_uses': quoteUsesSchema(dialect),
    '0010_swap_verdicts': swapVerdictsSchema(dialect),
  };
}

/**
 * Brings the schema up to date; nothing happens when it is.
 * @throws LedgerUnavailable when the schema is newer than this build knows, or a migration fails:
 *   then nothing of it stays.
 */
export async function migrate(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<void> {
  const known = migrations(dialect);
  let error: unknown;
  await dialect.migrating(async () => {
    ({ error } = await new Migrator({
      db,
      provider: { getMigrations: async () => known },
    }).migrateToLatest());
  });
  if (error === undefined) return;
  const unknown = await mapStoreErrors(async () =>
    (await appliedNames(db)).filter((name) => !(name in known)),
  );
  if (unknown.length === 0)
    throw new LedgerUnavailable('the ledger schema could not be brought up to date', {
      cause: error,
    });
  throw new LedgerUnavailable(
    'the ledger was written by a newer release: its schema is unknown here',
    {
      cause: error,
      details: { unknownMigrations: unknown.join(', ') },
    },
  );
}

async function appliedNames(db: Kysely<StoreSchema>): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
