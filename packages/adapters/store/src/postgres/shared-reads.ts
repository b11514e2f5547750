import { CompiledQuery, type DatabaseConnection, type Kysely, type QueryExecutor } from 'kysely';
import { DatabaseError } from 'pg';
import type { StoreSchema } from '../schema.js';
import { onConnections } from './pipelined-transaction.js';
import { isStale } from './postgres-pool.js';

/**
 * Maximum number of reads that share a transaction. The server runs them in sequence, so each read
 * waits for the reads before it.
 */
const MAX_READS = 16;
/** PostgreSQL error code of a statement that follows the failed statement of its transaction. */
const IN_FAILED_TRANSACTION = '25P02';

interface Read {
  /** Runs the read on a connection. Never rejects. */
  readonly run: (connection: DatabaseConnection) => Promise<void>;
  /** Rejects the read's caller. Has no effect if the read has ended. */
  readonly reject: (error: unknown) => void;
}

/**
 * Returns access to the database for single statements that only read. Reads of the same turn of
 * the event loop share a connection, a transaction, its commit and a round trip. A read that is
 * alone in its turn has no transaction. Each statement sees everything that was committed before
 * the server started the statement.
 */
export function sharedReads(db: Kysely<StoreSchema>): Kysely<StoreSchema> {
  const executor = db.getExecutor();
  let waiting: Read[] = [];
  const runAll = (): void => {
    const reads = waiting;
    waiting = [];
    for (let start = 0; start < reads.length; start += MAX_READS)
      void run(executor, reads.slice(start, start + MAX_READS));
  };
  return onConnections(executor, <T>(use: (connection: DatabaseConnection) => Promise<T>) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const runRead = async (connection: DatabaseConnection): Promise<void> => {
      try {
        resolve(await use(connection));
      } catch (error) {
        // The read itself did not fail, or its prepared statement is outdated: run it alone.
        if (isRepeatable(error)) executor.provideConnection(use).then(resolve, reject);
        else reject(error);
      }
    };
    if (waiting.push({ run: runRead, reject }) === 1) setImmediate(runAll);
    return promise;
  });
}

const isRepeatable = (error: unknown): boolean =>
  isStale(error) || (error instanceof DatabaseError && error.code === IN_FAILED_TRANSACTION);

/** Runs reads on one connection. All statements are sent without waiting for responses. */
async function run(executor: QueryExecutor, reads: readonly Read[]): Promise<void> {
  try {
    await executor.provideConnection(async (connection) => {
      const isAlone = reads.length === 1;
      const send = (text: string): Promise<unknown> =>
        isAlone ? Promise.resolve() : connection.executeQuery(CompiledQuery.raw(text));
      await Promise.allSettled([
        send('begin read only'),
        ...reads.map((read) => read.run(connection)),
        send('commit'),
      ]);
    });
  } catch (error) {
    for (const { reject } of reads) reject(error);
  }
}
