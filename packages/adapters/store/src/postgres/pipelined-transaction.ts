import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type DatabaseConnection,
  type QueryExecutor,
} from 'kysely';
import type { StoreSchema } from '../schema.js';

/**
 * Runs a transaction with pipelined statements. Statements that are issued in the same tick are
 * sent in the order of issue without waiting for responses; `begin` is sent together with the first
 * statement. The server runs the statements in sequence. Each statement sees the state that was
 * committed before the statement started. With pipelining, rows are locked for one round trip per
 * decision instead of one per statement.
 *
 * After a failed statement, the server rejects all later statements of the transaction.
 */
export async function pipelinedTransaction<T>(
  db: Kysely<StoreSchema>,
  work: (transaction: Kysely<StoreSchema>) => Promise<T>,
): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    const begun = connection.executeQuery(CompiledQuery.raw('begin'));
    // If `begin` fails, the statements after it report the failure.
    begun.catch(() => undefined);
    try {
      const result = await work(onConnections(executor, (use) => use(connection)));
      await begun;
      await commit(connection);
      return result;
    } catch (error) {
      // If the rollback also fails, the connection is broken, and the server ends the transaction
      // with the connection.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Commits the transaction. The server responds with ROLLBACK to the commit of a failed transaction.
 */
async function commit(connection: DatabaseConnection): Promise<void> {
  const { rows } = await connection.executeQuery<{ readonly command?: string }>(
    CompiledQuery.raw('commit'),
  );
  if (rows[0]?.command === 'ROLLBACK') throw new Error('a failed transaction was committed');
}

/** Dialect that is used only to compile statements. The driver of this dialect is never used. */
const DIALECT = new PostgresDialect({
  pool: async () => {
    throw new Error('statements of a transaction use its connection');
  },
});

/**
 * Runs statements directly on the connections that `provide` supplies. Kysely's own transaction
 * would wait for each response before sending the next statement.
 */
export function onConnections(
  executor: QueryExecutor,
  provide: <T>(use: (connection: DatabaseConnection) => Promise<T>) => Promise<T>,
): Kysely<StoreSchema> {
  return new Kysely<StoreSchema>({
    config: { dialect: DIALECT },
    dialect: DIALECT,
    driver: DIALECT.createDriver(),
    executor: executor.withConnectionProvider({ provideConnection: provide }),
  });
}
