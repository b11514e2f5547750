import type { Lane, LedgerState } from '@sotto/submission-core';
import { sql, type Expression, type Kysely, type Selectable } from 'kysely';
import type { DatabaseOrigin, SqlDialect } from '../sql-dialect.js';
import type { OrNothing } from './joined.js';
import { LANE, toLane, type LaneColumns } from './lane-rows.js';
import { NONCE_DISPROVES_REJECTION, type ChainTable, type StoreSchema } from '../schema.js';
import { Statement } from '../statement.js';

/**
 * Row of a lane with the store's time. If the store has no lanes, the query returns one row with
 * null columns.
 */
interface TimedLane extends OrNothing<LaneColumns> {
  readonly now_ms: bigint;
}
interface TimedState extends TimedLane, Selectable<Omit<ChainTable, 'id'>> {
  readonly disproved: bigint | null;
  /**
   * Value 1 if the connected database is not the one that was recorded as origin, for example after
   * a failover; otherwise 0.
   */
  readonly is_moved: bigint;
}

/** Loads all lanes, ordered by address, and the store's time. */
export async function loadLanes(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
): Promise<Pick<LedgerState, 'nowMs' | 'lanes'>> {
  const rows = await statementsOf(dialect).lanes.all(db, {});
  return { nowMs: nowOf(dialect, rows), lanes: lanesOf(rows) };
}

export async function loadState(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
): Promise<LedgerState> {
  let rows = await statementsOf(dialect).state.all(db, {});
  if (rows[0]?.is_moved === 1n) {
    await dialect.origin?.note(db);
    rows = await statementsOf(dialect).state.all(db, {});
  }
  const [first] = rows;
  if (first === undefined) throw new Error('the row of the chain is missing');
  const { chain_id: chainId, genesis_hash: genesisHash, last_block, disproved } = first;
  const { possible_copy_since_ms: copied } = first;
  return {
    chain: chainId === null || genesisHash === null ? null : { chainId, genesisHash },
    lastBlock: last_block === null ? null : Number(last_block),
    nowMs: nowOf(dialect, rows),
    possibleCopySinceMs: copied === null ? null : Number(copied),
    disprovedRefusals: Number(disproved),
    lanes: lanesOf(rows),
  };
}

function nowOf({ time }: SqlDialect, [row]: readonly TimedLane[]): number {
  return 'nowMs' in time ? time.nowMs() : Number(row?.now_ms);
}

function lanesOf(rows: readonly TimedLane[]): readonly Lane[] {
  return rows.filter(isLane).map(toLane);
}

const isLane = (row: TimedLane): row is TimedLane & LaneColumns =>
  row.address !== null && row.role !== null && row.fence !== null;

interface LaneStatements {
  readonly lanes: Statement<object, TimedLane>;
  readonly state: Statement<object, TimedState>;
}

/**
 * Cached statements. The key is the SQL expression that detects a change of the database. Without
 * such an expression, the key is the expression that reads the database's time.
 */
const known = new WeakMap<object, LaneStatements>();
/**
 * Placeholder for the time column if this process supplies the time. The value of the column is
 * then ignored.
 */
const NO_TIME = sql<bigint>`0`;

function statementsOf({ time, origin }: SqlDialect): LaneStatements {
  const now = 'nowMs' in time ? NO_TIME : time.expression;
  const key = origin?.hasChanged ?? now;
  const statements = known.get(key) ?? laneStatements(now, origin);
  known.set(key, statements);
  return statements;
}

function laneStatements(now: Expression<bigint>, origin: DatabaseOrigin | null): LaneStatements {
  return {
    lanes: new Statement((db) =>
      lanesBesideChain(db)
        .select(LANE)
        .select(sql<bigint>`${now}`.as('now_ms')),
    ),
    state: new Statement((db) =>
      lanesBesideChain(db)
        .select(LANE)
        .select(['chain.chain_id', 'chain.genesis_hash', 'chain.last_block'])
        .select('chain.possible_copy_since_ms')
        .select(
          sql<bigint>`${origin === null ? sql`0` : sql`${origin.hasChanged}::int`}`.as('is_moved'),
        )
        .select(sql<bigint>`${now}`.as('now_ms'))
        .select((eb) =>
          eb
            .selectFrom('nonces')
            .select((counted) => counted.fn.countAll<bigint>().as('count'))
            .where(NONCE_DISPROVES_REJECTION)
            .as('disproved'),
        ),
    ),
  };
}

function lanesBesideChain(db: Kysely<StoreSchema>) {
  return db
    .selectFrom('chain')
    .leftJoin('lanes', (join) => join.onTrue())
    .orderBy('lanes.address');
}
