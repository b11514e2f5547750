import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from 'kysely';
import { announceLanes } from '../../src/ledger/lane-shares.js';
import type { StoreSchema } from '../../src/schema.js';

const lost = async (): Promise<never> => {
  throw new Error('write EPIPE');
};

/** Driver whose connection is lost: every statement is rejected. */
class LostConnection extends DummyDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return Object.assign(await super.acquireConnection(), { executeQuery: lost });
  }
}

describe('announceLanes', () => {
  let unhandled: unknown[];
  const note = (error: unknown): void => void unhandled.push(error);
  beforeEach(() => {
    unhandled = [];
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    process.off('unhandledRejection', note);
  });

  it.each([[[]], [[toFelt(1n)]]])(
    'handles the error of every statement if the connection is lost: %#',
    async (lanes) => {
      const db = new Kysely<StoreSchema>({
        dialect: {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => new LostConnection(),
          createIntrospector: (of) => new PostgresIntrospector(of),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        },
      });
      const dialect = { time: { nowMs: () => 0 } };
      const announcing = announceLanes(db, dialect, { instance: 'a', lanes, ttlMs: 1_000 });
      await expect(announcing).rejects.toThrow('write EPIPE');
      await nextTurn();
      await nextTurn();
      expect(unhandled).toEqual([]);
    },
  );
});
