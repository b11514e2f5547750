import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** Accounts that the history is made for; none of them is configured. */
const FORMER_LANES = 8;
/** No filling makes so many rows. */
const ABOVE_ALL_NONCES = 1_000_000_000;
/**
 * Time between the ends of two withdrawals. The {@link UNWIPED} newest ended within 23 hours: a
 * block counts as final after 24.
 */
const SPACING_MS = 400;
/**
 * The newest of them are not final yet, and keep their calldata and signed bytes: a wipe has to
 * leave them, however many they are.
 */
const UNWIPED = 200_000;
/** Settings of a service over the ledger that wipes none of them. */
export const UNWIPED_ENV = { RETENTION_MS: '2000000000' } as const;
/** It is their number that a wipe could suffer from, and they are millions of pages otherwise. */
const PRIVATE_BYTES = 'zeroblob(32)';
/** So many that no number is the row's own that is copied. */
const HEX_DIGITS = 12;

const Name = z.object({ name: z.string() });
const Count = z.object({ n: z.number() });
const Template = z.object({ key: z.string(), attempt: z.number() });

/**
 * Makes a ledger look as after so many withdrawals, each with attempt, nonce and transaction:
 * copies of one that has succeeded, under other names. The newest 200,000 are not wiped. No process
 * may have the file open.
 * @param rows withdrawals to add
 * @throws Error when no withdrawal in it has succeeded
 */
export function fillLedger(file: string, rows: number): void {
  const database = new DatabaseSync(file);
  try {
    // Until it is filled nothing in it has to survive anything.
    database.exec(
      'pragma synchronous = off; pragma foreign_keys = off; pragma temp_store = memory; pragma cache_size = -200000',
    );
    const found = database
      .prepare("select key, attempt from attempts where state = 'succeeded' limit 1")
      .get();
    if (found === undefined) throw new Error('the ledger has no withdrawal that succeeded');
    const { key, attempt } = Template.parse(found);
    const { n: begun } = Count.parse(database.prepare('select count(*) as n from attempts').get());
    database.exec('begin');
    makeFormerLanes(database, key);
    const range: Range = [begun + 1, begun + rows];
    const laneAndNonce = { lane: formerLane(`i % ${FORMER_LANES}`), nonce: 'i' };
    copy(database, 'attempts', `where key = '${key}' and attempt = ${attempt}`, range, {
      ...laneAndNonce,
      key: another('key'),
      id: another('id'),
      transaction_hash: another('transaction_hash'),
      accepted_at_ms: `accepted_at_ms - i * ${SPACING_MS}`,
      ended_at_ms: `ended_at_ms - i * ${SPACING_MS}`,
      is_final: unlessUnwiped('1'),
      wiped: unlessUnwiped('2'),
    });
    const ofAttempt = `where (lane, nonce) = (select lane, nonce from attempts where key = '${key}' and attempt = ${attempt})`;
    copy(database, 'nonces', ofAttempt, range, {
      ...laneAndNonce,
      through: 'i',
      owner_key: another('owner_key'),
      settled_by: another('settled_by'),
      settled_at_ms: `settled_at_ms - i * ${SPACING_MS}`,
      is_final: unlessUnwiped('1'),
      wiped: unlessUnwiped('1'),
    });
    copy(
      database,
      'transactions',
      `where attempt_key = '${key}' and attempt_number = ${attempt}`,
      range,
      {
        ...laneAndNonce,
        hash: another('hash'),
        attempt_key: another('attempt_key'),
      },
    );
    keepPrivateBytes(database);
    database.exec('commit');
    database.exec('pragma wal_checkpoint(truncate); pragma optimize');
  } finally {
    database.close();
  }
}

const unlessUnwiped = (value: string): string =>
  `case when i > ${UNWIPED} then ${value} else 0 end`;

/** Of whatever is not wiped and has none. */
function keepPrivateBytes(database: DatabaseSync): void {
  database.exec(`
    insert into calldata (submission_id, words) select id, ${PRIVATE_BYTES} from attempts
      where wiped = 0 and id not in (select submission_id from calldata);
    insert into signed_bytes (hash, bytes) select hash, ${PRIVATE_BYTES} from transactions
      join nonces on nonces.lane = transactions.lane and nonces.nonce = transactions.nonce
      where wiped = 0 and hash not in (select hash from signed_bytes)`);
}

/** Unless an earlier filling has made them. */
function makeFormerLanes(database: DatabaseSync, key: string): void {
  if (
    database.prepare(`select 1 from lanes where address = ${formerLane('0')}`).get() !== undefined
  )
    return;
  copy(
    database,
    'lanes',
    `where address = (select lane from attempts where key = '${key}')`,
    [0, FORMER_LANES - 1],
    {
      address: formerLane('i'),
      leased_to: 'null',
      lease_until_ms: '0',
      next_nonce: String(ABOVE_ALL_NONCES),
    },
  );
}

type Range = readonly [first: number, last: number];

/**
 * Copies a row for each number `i` of the range, with these columns changed and new running
 * numbers.
 */
function copy(
  database: DatabaseSync,
  table: string,
  where: string,
  [first, last]: Range,
  changes: Readonly<Record<string, string>>,
): void {
  const columns = database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map((row) => Name.parse(row).name)
    .filter((name) => name !== 'seq');
  const values = columns.map((name) => changes[name] ?? name);
  database.exec(`
    with recursive numbers(i) as (select ${first} union all select i + 1 from numbers where i < ${last}),
      template as (select * from ${table} ${where} limit 1)
    insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from numbers, template`);
}

/** The same text but for its last characters. */
function another(column: string): string {
  return `substr(${column}, 1, length(${column}) - ${HEX_DIGITS}) || printf('%0${HEX_DIGITS}x', i)`;
}

function formerLane(number: string): string {
  return `'0xf0e' || (${number})`;
}
