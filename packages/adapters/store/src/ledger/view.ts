import type { Felt } from '@sotto/kernel';
import {
  isUnsigned,
  readsOf,
  sameRef,
  scopeOf,
  type Attempt,
  type AttemptRef,
  type Caller,
  type Executed,
  type ReadScope,
  type SubmissionCommand,
  type MachineState,
  type TransactionRow,
} from '@sotto/submission-core';
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { SqlDialect } from '../sql-dialect.js';
import { loadLanes } from './lanes.js';
import { underOpenNonces } from './open-nonces.js';
import { loadPlaced, type Place, type Placed } from './place.js';
import { toAttempt } from './rows.js';
import {
  ATTEMPT_IS_LIVE,
  NONCE_IS_OPEN,
  type AttemptsTable,
  type NoncesTable,
  type StoreSchema,
  type TransactionsTable,
} from '../schema.js';
import { Statement, together } from '../statement.js';

const NO_LANES = { nowMs: 0, lanes: [] } as const;
const NOWHERE: Placed = { nonce: null, transactions: [] };

/**
 * Loads the rows that a command depends on, inside the transaction that will write them. Lanes are
 * locked first, then attempts, and the rows of each kind in a fixed order; this prevents deadlocks.
 * All other rows are read after these rows are locked.
 */
export async function loadView(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
  event: SubmissionCommand,
): Promise<MachineState> {
  const { key, lane, nonce } = scopeOf(event);
  const reads = readsOf(event);
  const place = lane === null || nonce === null ? null : { lane, nonce };
  // The statements are issued in the same tick and run in this order, because the statements that
  // lock rows must run first.
  const [, lastAttempt, callerRows, { nowMs, lanes }, placed, liveAbove, unconsumed] =
    await together([
      dialect.rowLocks ? lockLanes(db, event, lane) : null,
      key === null ? null : loadLastAttempt(db, key, dialect.rowLocks),
      place === null || reads.callers === 'none' ? [] : callersIn(db, dialect, place),
      reads.lanes ? loadLanes(db, dialect) : NO_LANES,
      place === null ? NOWHERE : loadPlaced(db, place),
      place === null || !reads.liveAbove ? false : livesAbove(db, place),
      event.type === 'end_quarantine' ? unconsumedOf(db, event.lanes) : [],
    ]);
  const [ofLast, callers] = await together([
    loadElsewhereOfLast(db, place, lastAttempt),
    together(callerRows.map((row) => loadCaller(db, place, row, placed, reads))),
  ]);
  return {
    ...placed,
    nowMs,
    callers,
    liveAbove,
    lastAttempt,
    lastAttemptIsUnfinal: ofLast.isUnfinal,
    lastAttemptExecutedBy: ofLast.executedBy,
    lane: lanes.find(({ address }) => address === lane) ?? null,
    lanes,
    unconsumed,
  };
}

export async function loadAttempt(
  db: Kysely<StoreSchema>,
  { key, attempt }: AttemptRef,
): Promise<Attempt | null> {
  const row = await attemptByRef.first(db, { key, attempt: BigInt(attempt) });
  return row === undefined ? null : toAttempt(row);
}

export async function loadLastAttempt(
  db: Kysely<StoreSchema>,
  key: string,
  lock = false,
): Promise<Attempt | null> {
  const row = await lastAttemptByKey[lock ? 'locked' : 'plain'].first(db, { key });
  return row === undefined ? null : toAttempt(row);
}

async function lockLanes(
  db: Kysely<StoreSchema>,
  { type }: SubmissionCommand,
  lane: Felt | null,
): Promise<void> {
  if (type === 'end_quarantine') await everyLaneLocked.run(db, {});
  else if (lane !== null) await laneLocked.run(db, { lane });
}

function callersIn(
  db: Kysely<StoreSchema>,
  { rowLocks }: SqlDialect,
  place: Place,
): Promise<readonly CallerRow[]> {
  return callersAt[rowLocks ? 'locked' : 'plain'].all(db, place);
}

async function loadCaller(
  db: Kysely<StoreSchema>,
  place: Place | null,
  row: CallerRow,
  placed: Placed,
  { callers: wanted }: Pick<ReadScope, 'callers'>,
): Promise<Caller> {
  const attempt = toAttempt(row);
  const isLast = row.last_attempt === row.attempt;
  if (wanted !== 'histories') return { attempt, isLast, ...NOTHING };
  const elsewhere =
    row.is_elsewhere === 0n && placed.nonce?.nonce === place?.nonce
      ? onlyHere(placed, attempt)
      : await loadElsewhere(db, place, attempt);
  return { attempt, isLast, ...elsewhere };
}

/**
 * Returns the facts about an attempt that has no transactions under nonces other than the view's
 * nonce.
 */
function onlyHere({ nonce, transactions }: Placed, attempt: Attempt): Elsewhere {
  const isHeld = sameRef(nonce?.owner ?? null, attempt);
  const isUnfinalHere = ({ gone }: TransactionRow): boolean =>
    nonce?.state === 'open'
      ? gone === null && !isHeld
      : gone !== 'refused' && nonce?.settlement?.isFinal === false;
  const its = transactions.filter((transaction) => sameRef(transaction.attempt, attempt));
  return { isUnfinal: its.some(isUnfinalHere), executedBy: null };
}

async function livesAbove(db: Kysely<StoreSchema>, place: Place): Promise<boolean> {
  return (await livingAbove.first(db, place)) !== undefined;
}

/**
 * Facts about an attempt that come from its transactions under nonces other than the nonce of the
 * view.
 */
type Elsewhere = Pick<Caller, 'isUnfinal' | 'executedBy'>;
const NOTHING: Elsewhere = { isUnfinal: false, executedBy: null };

async function loadElsewhere(
  db: Kysely<StoreSchema>,
  place: Place | null,
  attempt: Attempt,
): Promise<Elsewhere> {
  const placed = await placedOf.all(db, { key: attempt.key, attempt: BigInt(attempt.attempt) });
  const executed = placed.flatMap((row) => executedBy(row, place));
  return {
    isUnfinal: placed.some((row) => isUnfinal(row, attempt)),
    executedBy: executed.find(({ execution }) => execution === 'SUCCEEDED') ?? executed[0] ?? null,
  };
}

/**
 * Loads the facts of {@link Elsewhere} for the last attempt of a key. An attempt that was never
 * signed has no nonce and no such facts.
 */
async function loadElsewhereOfLast(
  db: Kysely<StoreSchema>,
  place: Place | null,
  attempt: Attempt | null,
): Promise<Elsewhere> {
  return attempt === null || isUnsigned(attempt) ? NOTHING : loadElsewhere(db, place, attempt);
}

/** Returns the lanes in which a nonce below the end of the quarantine is still open. */
async function unconsumedOf(
  db: Kysely<StoreSchema>,
  lanes: readonly Felt[],
): Promise<readonly Felt[]> {
  const found: Felt[] = [];
  for (const lane of lanes)
    if ((await openInQuestion.first(db, { lane })) !== undefined) found.push(lane);
  return found;
}

/**
 * Returns the execution of the call if the call consumed a nonce other than the view's nonce;
 * otherwise an empty list.
 */
function executedBy(
  { lane, nonce, hash, settled_by, execution, fee_fri }: PlacedCall,
  place: Place | null,
): readonly Executed[] {
  const isElsewhere = lane !== place?.lane || nonce !== place.nonce;
  if (!isElsewhere || hash !== settled_by || execution === null) return [];
  return [{ lane, nonce, hash, feeFri: amount(fee_fri), execution }];
}

/**
 * Returns true if this call can still be included in a block even if another transaction of its
 * attempt is included.
 */
function isUnfinal(
  { state, owner_key, owner_attempt, gone, is_final }: PlacedCall,
  { key, attempt }: AttemptRef,
): boolean {
  const isHeld = owner_key === key && owner_attempt === BigInt(attempt);
  return state === 'open' ? gone === null && !isHeld : gone !== 'refused' && is_final === 0n;
}

const amount = (decimal: string | null): bigint | null =>
  decimal === null ? null : BigInt(decimal);

/**
 * Statement in two variants, with and without a row lock. The lock is needed if writers run
 * concurrently.
 */
type Locked<Values extends object, Row> = {
  readonly plain: Statement<Values, Row>;
  readonly locked: Statement<Values, Row>;
};

function lockable<Values extends object, Row>(
  make: (lock: boolean) => Statement<Values, Row>,
): Locked<Values, Row> {
  return { plain: make(false), locked: make(true) };
}

interface Ref {
  readonly key: string;
  readonly attempt: bigint;
}

const attemptByRef = new Statement<Ref, Selectable<AttemptsTable>>((db, { key, attempt }) =>
  db.selectFrom('attempts').selectAll().where('key', '=', key).where('attempt', '=', attempt),
);

const lastAttemptByKey = lockable(
  (lock) =>
    new Statement<{ readonly key: string }, Selectable<AttemptsTable>>((db, { key }) =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('key', '=', key)
        .orderBy(
          sql`case when ${ATTEMPT_IS_LIVE} then 0 when attempts.state = 'succeeded' then 1 else 2 end`,
        )
        .orderBy('attempt', 'desc')
        .limit(sql.lit(1))
        .$if(lock, (query) => query.forUpdate()),
    ),
);

const laneLocked = new Statement<{ readonly lane: Felt }, unknown>((db, { lane }) =>
  db.selectFrom('lanes').select('address').where('address', '=', lane).forUpdate(),
);

const everyLaneLocked = new Statement<object, unknown>((db) =>
  db.selectFrom('lanes').select('address').orderBy('address').forUpdate(),
);

interface CallerRow extends Selectable<AttemptsTable> {
  /** Highest attempt number among all attempts with the same key. */
  readonly last_attempt: bigint | null;
  /**
   * Value 1 if the attempt also has a transaction under another nonce, otherwise 0. Null if the
   * statement locks the row: the statement may have waited for the lock, and would then read an
   * outdated state of the other tables.
   */
  readonly is_elsewhere: bigint | null;
}

const NOT_READ: RawBuilder<bigint | null> = sql`null`;

/**
 * Builds the SQL condition that the attempt of the current row has a transaction under a nonce
 * other than the given nonce.
 */
const elsewhereThan = ({ lane, nonce }: Place): RawBuilder<bigint | null> =>
  sql`exists (select 1 from transactions as other
    where other.attempt_key = attempts.key and other.attempt_number = attempts.attempt
      and (other.lane != ${lane} or other.nonce != ${nonce}))`;

/**
 * Selects the attempts that have a call under the nonce, and the attempt that owns the nonce. The
 * cross join makes SQLite start with the keys of these attempts.
 */
const callersAt = lockable(
  (lock) =>
    new Statement<Place, CallerRow>((db, { lane, nonce }) =>
      db
        .selectFrom(
          sql<{ key: string; attempt: bigint }>`(
            select attempt_key as key, attempt_number as attempt from transactions
            where lane = ${lane} and nonce = ${nonce} and attempt_key is not null
            union select owner_key, owner_attempt from nonces where lane = ${lane} and nonce = ${nonce} and owner_key is not null)`.as(
            'named',
          ),
        )
        .crossJoin('attempts')
        .selectAll('attempts')
        .select((eb) =>
          eb
            .selectFrom('attempts as last')
            .select((highest) => highest.fn.max('last.attempt').as('attempt'))
            .whereRef('last.key', '=', 'attempts.key')
            .as('last_attempt'),
        )
        .select((lock ? NOT_READ : elsewhereThan({ lane, nonce })).as('is_elsewhere'))
        .whereRef('attempts.key', '=', 'named.key')
        .whereRef('attempts.attempt', '=', 'named.attempt')
        .orderBy('attempts.seq')
        .$if(lock, (query) => query.forUpdate('attempts')),
    ),
);

type PlacedCall = Pick<TransactionsTable, 'lane' | 'nonce' | 'hash' | 'gone'> &
  Pick<
    NoncesTable,
    'state' | 'owner_key' | 'owner_attempt' | 'settled_by' | 'execution' | 'fee_fri' | 'is_final'
  >;

/** Selects the transactions of an attempt, each joined with its nonce. */
const placedOf = new Statement<Ref, PlacedCall>((db, { key, attempt }) =>
  db
    .selectFrom('transactions')
    .crossJoin('nonces')
    .select(['transactions.lane', 'transactions.nonce', 'transactions.hash', 'transactions.gone'])
    .select(['nonces.state', 'nonces.owner_key', 'nonces.owner_attempt'])
    .select(['nonces.settled_by', 'nonces.execution', 'nonces.fee_fri', 'nonces.is_final'])
    .where('transactions.attempt_key', '=', key)
    .where('transactions.attempt_number', '=', attempt)
    .whereRef('nonces.lane', '=', 'transactions.lane')
    .whereRef('nonces.nonce', '=', 'transactions.nonce')
    .orderBy('transactions.seq'),
);

const livingAbove = new Statement<Place, Pick<TransactionsTable, 'hash'>>((db, { lane, nonce }) =>
  underOpenNonces(db, lane)
    .select('transactions.hash')
    .where('nonces.nonce', '>', nonce)
    .where('transactions.gone', 'is', null)
    .limit(sql.lit(1)),
);

const openInQuestion = new Statement<{ readonly lane: Felt }, Pick<NoncesTable, 'nonce'>>(
  (db, { lane }) =>
    db
      .selectFrom('lanes')
      .crossJoin('nonces')
      .select('nonces.nonce')
      .where('lanes.address', '=', lane)
      .whereRef('nonces.lane', '=', 'lanes.address')
      .where(NONCE_IS_OPEN)
      .whereRef('nonces.nonce', '<', 'lanes.quarantine_until')
      .limit(sql.lit(1)),
);
