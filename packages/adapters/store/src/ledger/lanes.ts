import type { Felt } from '@sotto/kernel';
import type { Lane, LedgerState, NonceRow, TransactionRow } from '@sotto/submission-core';
import { sql, type Expression, type Kysely, type Selectable } from 'kysely';
import type { SqlDialect } from '../sql-dialect.js';
import type { OrNothing } from './joined.js';
import { LANE, toLane, toNonce, toTransaction, type LaneColumns } from './rows.js';
import {
  NONCE_DISPROVES_REFUSAL,
  type ChainTable,
  type NoncesTable,
  type StoreSchema,
  type TransactionsTable,
} from '../schema.js';
import { Statement } from '../statement.js';

/** Names a nonce of a lane. */
export interface Place {
  readonly lane: Felt;
  readonly nonce: bigint;
}

/** Without any lane there is one row, and its columns are null. */
interface TimedLane extends OrNothing<LaneColumns> {
  readonly now_ms: bigint;
}
interface TimedState extends TimedLane, Omit<ChainTable, 'id'> {
  readonly disproved: bigint | null;
}

/** A lane, and beside the one in question the row of the nonce with each of its transactions. */
type PlacedLane = TimedLane &
  OrNothing<Selectable<NoncesTable>> &
  OrNothing<Selectable<TransactionsTable>>;

export interface LanesAndPlace extends Pick<LedgerState, 'nowMs' | 'lanes'> {
  /** The row of the nonce, or of the range that it is in. */
  readonly nonce: NonceRow | null;
  /** Oldest first. */
  readonly transactions: readonly TransactionRow[];
}

/** Every lane by address, and what time it is for the store. */
export async function loadLanes(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
): Promise<Pick<LedgerState, 'nowMs' | 'lanes'>> {
  const rows = await statementsOf(dialect).lanes.all(db, {});
  return { nowMs: nowOf(dialect, rows), lanes: lanesOf(rows) };
}

/** The lanes, and what stands under one nonce, as one moment shows them. */
export async function loadLanesAndPlace(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
  place: Place,
): Promise<LanesAndPlace> {
  const rows = await statementsOf(dialect).place.all(db, place);
  const [nonce] = rows.filter(hasNonce);
  const lanes = new Map(lanesOf(rows).map((lane) => [lane.address, lane]));
  return {
    nowMs: nowOf(dialect, rows),
    lanes: [...lanes.values()],
    nonce: nonce === undefined ? null : toNonce(nonce),
    transactions: rows.filter(hasTransaction).map(toTransaction),
  };
}

const hasNonce = (row: PlacedLane): row is PlacedLane & Selectable<NoncesTable> =>
  row.state !== null;
const hasTransaction = (row: PlacedLane): row is PlacedLane & Selectable<TransactionsTable> =>
  row.hash !== null;

export async function loadState(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
): Promise<LedgerState> {
  const rows = await statementsOf(dialect).state.all(db, {});
  const [first] = rows;
  if (first === undefined) throw new Error('the row of the chain is missing');
  const { chain_id: chainId, genesis_hash: genesisHash, last_block, disproved } = first;
  return {
    chain: chainId === null || genesisHash === null ? null : { chainId, genesisHash },
    lastBlock: last_block === null ? null : Number(last_block),
    nowMs: nowOf(dialect, rows),
    disprovedRefusals: Number(disproved),
    lanes: lanesOf(rows),
  };
}

function nowOf({ time }: SqlDialect, [row]: readonly TimedLane[]): number {
  return 'nowMs' in time ? time.nowMs() : Number(row?.now_ms);
}

function lanesOf(rows: readonly TimedLane[]): readonly Lane[] {
  return rows.flatMap(({ address, role, fence, ...row }) =>
    address === null || role === null || fence === null
      ? []
      : [toLane({ ...row, address, role, fence })],
  );
}

interface LaneStatements {
  readonly lanes: Statement<object, TimedLane>;
  readonly place: Statement<Place, PlacedLane>;
  readonly state: Statement<object, TimedState>;
}

/** By the expression that reads a database's time. */
const known = new WeakMap<Expression<bigint>, LaneStatements>();
/** Where this process supplies the time, the column is not read. */
const NO_TIME = sql<bigint>`0`;

function statementsOf({ time }: SqlDialect): LaneStatements {
  const now = 'nowMs' in time ? NO_TIME : time.expression;
  const statements = known.get(now) ?? laneStatements(now);
  known.set(now, statements);
  return statements;
}

function laneStatements(now: Expression<bigint>): LaneStatements {
  return {
    lanes: new Statement((db) =>
      lanesBesideChain(db)
        .select(LANE)
        .select(sql<bigint>`${now}`.as('now_ms')),
    ),
    place: new Statement((db, { lane, nonce }) =>
      lanesBesideChain(db)
        .leftJoin('nonces', (join) =>
          join
            .onRef('nonces.lane', '=', 'lanes.address')
            .on('lanes.address', '=', lane)
            .on('nonces.nonce', '=', (eb) =>
              eb
                .selectFrom('nonces as below')
                .select((highest) => highest.fn.max('below.nonce').as('nonce'))
                .where('below.lane', '=', lane)
                .where('below.nonce', '<=', nonce),
            )
            .on('nonces.through', '>=', nonce),
        )
        .leftJoin('transactions', (join) =>
          join.onRef('transactions.lane', '=', 'nonces.lane').on('transactions.nonce', '=', nonce),
        )
        // Both tables name lane and nonce, and the later one counts.
        .selectAll('transactions')
        .selectAll('nonces')
        .select(LANE)
        .select(sql<bigint>`${now}`.as('now_ms'))
        .orderBy('transactions.seq'),
    ),
    state: new Statement((db) =>
      lanesBesideChain(db)
        .select(LANE)
        .select(['chain.chain_id', 'chain.genesis_hash', 'chain.last_block'])
        .select(sql<bigint>`${now}`.as('now_ms'))
        .select((eb) =>
          eb
            .selectFrom('nonces')
            .select((counted) => counted.fn.countAll<bigint>().as('count'))
            .where(NONCE_DISPROVES_REFUSAL)
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
