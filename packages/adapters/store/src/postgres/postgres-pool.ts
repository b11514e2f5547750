import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import {
  DatabaseError,
  Pool,
  TypeOverrides,
  type ClientBase,
  type ClientConfig,
  type PoolClient,
} from 'pg';
import { isRepeated } from '../statement.js';

/** Type OIDs of all integers: int8, int2, int4. Source: `pg_type.dat` of PostgreSQL. */
const INTEGER_OIDS: readonly number[] = [20, 21, 23];

/**
 * Makes the driver parse integers as bigint, as on SQLite. Applies only to this store's
 * connections, not to the driver globally.
 */
function typesOfColumns(): TypeOverrides {
  const types = new TypeOverrides();
  for (const oid of INTEGER_OIDS) types.setTypeParser(oid, BigInt);
  return types;
}

/**
 * Session settings on which durability and compare-and-set depend. This store sets them explicitly,
 * regardless of the server's defaults. An acknowledged commit is on disk, and each statement reads
 * everything that was committed before the statement started. A writer that waited for a row
 * therefore reads the result of the writer that had locked the row.
 *
 * The cost of a random page makes the server use indexes in a table that is still small. A plan is
 * kept while the table grows, until the server next collects statistics.
 */
const SESSION = [
  `set synchronous_commit = on`,
  `set default_transaction_isolation = 'read committed'`,
  `set client_encoding = 'UTF8'`,
  `set random_page_cost = 1.1`,
].join(';');

/**
 * Applies the session settings to a new connection. The pool awaits the promise, although its types
 * do not declare that.
 */
const prepared: (client: ClientBase) => unknown = (client) => client.query(SESSION);

/**
 * Time limits in milliseconds, so that no session locks a row, or waits for a row, forever. Zero
 * disables a limit.
 */
export interface Limits {
  /** Maximum duration of one statement, including its wait for locked rows. */
  readonly statementTimeoutMs: number;
  /** Maximum duration of opening a connection. */
  readonly connectTimeoutMs: number;
}

/**
 * Additional time in milliseconds that the client waits for a response after the server's statement
 * limit. After this time, the connection is considered broken.
 */
const WIRE_MS = 5_000;

/**
 * Builds the options of a connection of this store.
 * @throws Error if the URL is invalid; its message contains no part of the URL
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
    // The lock timeout is two thirds of the statement timeout, so that a session which waits too
    // long for a row can still report that reason.
    lock_timeout: Math.floor((statementTimeoutMs * 2) / 3),
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    ...(statementTimeoutMs === 0 ? {} : { query_timeout: statementTimeoutMs + WIRE_MS }),
  };
}

/**
 * Pool with a maximum number of connections. Discards connections in an unknown state. When the
 * pool is closed, it waits for running calls.
 */
export class StorePool implements PostgresPool {
  readonly options = {};
  readonly #pool: Pool;
  readonly #names = new StatementNames();
  #inUse = 0;
  #closing: (() => void) | null = null;
  #closed = false;

  /** @param lost called when an idle connection breaks */
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
    // Without a listener, a lost connection would end the process. The pool's own listener covers
    // only idle connections.
    this.#pool.on('error', lost);
    this.#pool.on('connect', (client) => void client.on('error', () => {}));
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#closed)
      throw Object.assign(new Error('the store is closed'), { code: 'STORE_CLOSED' });
    this.#inUse += 1;
    try {
      const client = await this.#pool.connect();
      return new TrackedConnection(client, this.#names, (broken) => {
        client.release(broken);
        this.#returned();
      });
    } catch (error) {
      this.#returned();
      throw error;
    }
  }

  /**
   * Rejects new calls. Resolves when the running calls have ended and every connection is closed.
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
 * Replaces the character NUL in text, because PostgreSQL rejects NUL. If a name in a request
 * contains NUL, the name must be treated as unknown instead of causing a database error.
 */
function storable(parameter: unknown): unknown {
  return typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter;
}

/** Maximum number of prepared statements per connection. Each needs memory of the server. */
const MAX_NAMES = 200;
/**
 * Characters of a statement's name. A name must differ for each text, because a session that
 * another process prepared could otherwise run another statement under an equal name.
 */
const NAME_LENGTH = 22;

/**
 * PostgreSQL error codes of a prepared statement that the session cannot run any more:
 * feature_not_supported, if a migration changed the columns of the result; and
 * invalid_sql_statement_name, if the session was reset. The statement had no effect.
 */
const STALE: ReadonlySet<string> = new Set(['0A000', '26000']);

/** Returns true if the server rejected an outdated prepared statement. The statement may repeat. */
export function isStale(error: unknown): boolean {
  return error instanceof DatabaseError && STALE.has(error.code ?? '');
}

/**
 * Names under which the connections of a pool prepare statements, so that the server parses and
 * plans a statement once per connection.
 */
class StatementNames {
  readonly #names = new Map<string, string>();
  /** Number of times that names became outdated. */
  #generation = 0;

  /** Returns the name of a statement; undefined if it is not prepared. */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || !isRepeated(text) || this.#names.size >= MAX_NAMES) return known;
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, NAME_LENGTH);
    const name = `${this.#generation}_${hash}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Replaces all names, because a migration that outdates one statement may outdate others on every
   * connection. Does nothing if the name was already replaced.
   */
  replace(text: string, name: string | undefined): void {
    if (name === undefined || this.#names.get(text) !== name) return;
    this.#generation += 1;
    this.#names.clear();
  }
}

/** Beginnings of the statements that start a transaction. */
const BEGIN = /^(?:begin|start transaction)\b/;

/** Part of the driver's client that runs a statement, which is prepared if it has a name. */
interface NamedClient {
  query<R>(config: {
    readonly text: string;
    readonly values: unknown[];
    readonly name?: string;
  }): Promise<PostgresQueryResult<R>>;
}

/**
 * Connection that records errors which the driver raised, not the server. After such an error, the
 * state of the connection is unknown.
 */
class TrackedConnection implements PostgresPoolClient {
  #broken = false;
  #hasBegun = false;

  constructor(
    private readonly client: PoolClient,
    private readonly names: StatementNames,
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
    // The server ends the transaction of a broken connection. A rollback would fail and hide the
    // cause.
    if (this.#broken && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    this.#hasBegun ||= BEGIN.test(text);
    const name = this.names.of(text);
    try {
      return await this.#send<R>(text, parameters, name);
    } catch (error) {
      if (!isStale(error)) throw error;
      this.names.replace(text, name);
      // A failed transaction accepts no more statements, so its caller must repeat it.
      if (this.#hasBegun) throw error;
      return this.#send<R>(text, parameters, this.names.of(text));
    }
  }

  async #send<R>(
    text: string,
    parameters: readonly unknown[],
    name: string | undefined,
  ): Promise<PostgresQueryResult<R>> {
    const values = parameters.map(storable);
    const client: NamedClient = this.client;
    try {
      return await client.query<R>({ text, values, ...(name === undefined ? {} : { name }) });
    } catch (error) {
      if (!(error instanceof DatabaseError)) this.#broken = true;
      throw error;
    }
  }
}
