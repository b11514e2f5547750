import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type DatabaseConnection,
  type QueryExecutor,
} from 'kysely';
import type { StoreSchema } from '../schema.js';

/**
 * Runs a transaction with pipelined statements: those issued in the same tick are sent in that
 * order without waiting for answers, and the beginning together with the first of them. The server
 * runs them in sequence, each on the state committed before it started. Rows are therefore locked
 * for one round trip per decision instead of one per statement.
 *
 * After a failed statement, the server rejects all others of the transaction.
 */
export async function pipelinedTransaction<T>(
  db: Kysely<StoreSchema>,
  work: (transaction: Kysely<StoreSchema>) => Promise<T>,
): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    const begun = connection.executeQuery(CompiledQuery.raw('begin'));
    // The following statements report its failure.
    begun.catch(() => undefined);
    try {
      const result = await work(onConnection(executor, connection));
      await begun;
      await commit(connection);
      return result;
    } catch (error) {
      // If the rollback fails too, the connection is broken and the transaction ends with it.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
      throw error;
    }
  });
}

/** Commits. The server answers the commit of a failed transaction with ROLLBACK. */
async function commit(connection: DatabaseConnection): Promise<void> {
  const { rows } = await connection.executeQuery<{ readonly command?: string }>(
    CompiledQuery.raw('commit'),
  );
  if (rows[0]?.command === 'ROLLBACK') throw new Error('a failed transaction was committed');
}

/** Compiles statements only; its driver is never used. */
const DIALECT = new PostgresDialect({
  pool: async () => {
    throw new Error('statements of a transaction use its connection');
  },
});

/**
 * Runs statements on the connection. Kysely's own transaction would wait for each answer before the
 * next statement.
 */
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
