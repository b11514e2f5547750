import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type DatabaseConnection,
  type QueryExecutor,
} from 'kysely';
import type { StoreSchema } from '../schema.js';

/**
 * A transaction whose statements do not wait for each other: those that are asked for in one turn
 * are sent in that order without an answer in between, the beginning with the first of them. The
 * server runs them one after another, each on what was committed before it began. So rows stay
 * locked for as many round trips as there are decisions on what was read, and not for one a
 * statement.
 *
 * After a statement that fails, the server refuses all others of the transaction.
 */
export async function pipelinedTransaction<T>(
  db: Kysely<StoreSchema>,
  work: (transaction: Kysely<StoreSchema>) => Promise<T>,
): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    const begun = connection.executeQuery(CompiledQuery.raw('begin'));
    // Its failure is that of whatever comes behind it.
    begun.catch(() => undefined);
    try {
      const result = await work(onConnection(executor, connection));
      await begun;
      await commit(connection);
      return result;
    } catch (error) {
      // Where this fails too, the connection is broken, and the transaction with it.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
      throw error;
    }
  });
}

/** The server answers to a commit of what has failed that it has rolled it back. */
async function commit(connection: DatabaseConnection): Promise<void> {
  const { rows } = await connection.executeQuery<{ readonly command?: string }>(
    CompiledQuery.raw('commit'),
  );
  if (rows[0]?.command === 'ROLLBACK') throw new Error('a transaction that failed was committed');
}

/** Only compiles and hands over; its driver is never begun. */
const DIALECT = new PostgresDialect({
  pool: async () => {
    throw new Error('statements of a transaction have its connection');
  },
});

/** Kysely's own transaction sends a statement when the one before is answered. */
function onConnection(
  executor: QueryExecutor,
  connection: DatabaseConnection,
): Kysely<StoreSchema> {
  return new Kysely<StoreSchema>({
    config: { dialect: DIALECT },
    dialect: DIALECT,
    driver: DIALECT.createDriver(),
    executor: executor.withConnectionProvider({ provideConnection: (use) => use(connection) }),
  });
}
