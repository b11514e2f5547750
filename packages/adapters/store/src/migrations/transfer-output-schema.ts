import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { StoreSchema } from '../schema.js';

/** What arrived of a transfer: null for those that were seen before it was kept. */
export const transferOutputSchema: Migration = {
  async up(db: Kysely<StoreSchema>): Promise<void> {
    await db.schema.alterTable('transfers').addColumn('output_amount', 'text').execute();
  },
};
