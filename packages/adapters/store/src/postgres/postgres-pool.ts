import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import {
  DatabaseError,
  Pool,
  TypeOverrides,
  type ClientBase,
  type ClientConfig,
  type PoolClient,
} from 'pg';

/** Whole numbers of every size: int8, int2, int4. Source: `pg_type.dat` of PostgreSQL. */
const INTEGER_OIDS: readonly number[] = [20, 21, 23];

/**
 * Integers are bigint, as on SQLite. Of this store's connections only, not of everything that uses
 * the driver.
 */
function typesOfColumns(): TypeOverrides {
  const types = new TypeOverrides();
  for (const oid of INTEGER_OIDS) types.setTypeParser(oid, BigInt);
  return types;
}

/**
 * What durability and compare-and-set rest on, whatever the server's defaults are: an acknowledged
 * commit is on disk, and every statement sees what was committed before it began, so that who
 * waited for a row reads what the one before wrote.
 */
const SESSION = `set synchronous_commit = on; set default_transaction_isolation = 'read committed'; set client_encoding = 'UTF8'`;

/** The pool waits for it, though its types don't say so. */
const prepared: (client: ClientBase) => unknown = (client) => client.query(SESSION);

/** Time limits, so that no session holds a row or waits for one for ever. Zero means no limit. */
export interface Limits {
  /** Of one statement, waiting for rows included. */
  readonly statementTimeoutMs: number;
  /** For a connection. */
  readonly connectTimeoutMs: number;
}

/**
 * What an answer takes on the wire beyond the server's own limit, before the connection counts as
 * dead.
 */
const WIRE_MS = 5_000;

/**
 * Options of a connection of this store.
 * @throws Error that quotes nothing of it, when the address makes no sense
 */
export function connectionOptions(
  url: string,
  { statementTimeoutMs, connectTimeoutMs }: Limits,
): ClientConfig {
  return {
    connectionString: url,
    application_name: 'sotto',
    types: typesOfColumns(),
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    // Two thirds: a session that waits too long for a row still has time to say so.
    lock_timeout: Math.floor((statementTimeoutMs * 2) / 3),
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    ...(statementTimeoutMs === 0 ? {} : { query_timeout: statementTimeoutMs + WIRE_MS }),
  };
}

/**
 * A bounded pool of connections that takes none back that it can't trust, and that waits for calls
 * in progress when it is closed.
 */
export class StorePool implements PostgresPool {
  readonly options = {};
  readonly #pool: Pool;
  #inUse = 0;
  #closing: (() => void) | null = null;
  #closed = false;

  /** @param lost called when an idle connection broke */
  constructor(
    url: string,
    limits: Limits & { readonly poolSize: number },
    lost: (error: Error) => void,
  ) {
    this.#pool = new Pool({
      ...connectionOptions(url, limits),
      pipeline: true,
      max: limits.poolSize,
      onConnect: prepared,
    });
    // Without listeners the process would end with the server: the pool's own is for idle
    // connections.
    this.#pool.on('error', lost);
    this.#pool.on('connect', (client) => void client.on('error', () => {}));
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#closed)
      throw Object.assign(new Error('the store is closed'), { code: 'STORE_CLOSED' });
    this.#inUse += 1;
    try {
      const client = await this.#pool.connect();
      return new TrackedConnection(client, (broken) => {
        client.release(broken);
        this.#returned();
      });
    } catch (error) {
      this.#returned();
      throw error;
    }
  }

  /**
   * Takes no more calls; resolves when those in progress have ended and every connection is closed.
   */
  async end(): Promise<void> {
    this.#closed = true;
    if (this.#inUse > 0) {
      await new Promise<void>((resolve) => {
        this.#closing = resolve;
      });
    }
    await this.#pool.end();
  }

  #returned(): void {
    this.#inUse -= 1;
    if (this.#inUse === 0) this.#closing?.();
  }
}

/**
 * PostgreSQL has no NUL in a text, and refuses the statement. Names from outside may have one, and
 * are to be unknown, not an outage.
 */
function storable(parameter: unknown): unknown {
  return typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter;
}

/**
 * Remembers whether something went wrong that the server has not said itself: then it is not known
 * what the connection waits for.
 */
class TrackedConnection implements PostgresPoolClient {
  #broken = false;

  constructor(
    private readonly client: PoolClient,
    private readonly giveBack: (broken: boolean) => void,
  ) {}

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new TypeError('this store reads no cursors');
    return this.#query(text, parameters);
  }

  release(destroy = false): void {
    this.giveBack(destroy || this.#broken);
  }

  async #query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The transaction ends with the connection. To roll it back would fail, and hide why.
    if (this.#broken && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    const client: Pick<PostgresPoolClient, 'query'> = this.client;
    try {
      return await client.query<R>(text, parameters.map(storable));
    } catch (error) {
      if (!(error instanceof DatabaseError)) this.#broken = true;
      throw error;
    }
  }
}
