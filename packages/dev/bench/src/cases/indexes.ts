import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';
import type { BenchCase } from '../bench.js';
import { fillLedger } from '../ledger/fill-ledger.js';
import { firstLedger } from '../ledger/first-ledger.js';
import { roundsOf, type Rounds } from '../measure/statistics.js';
import { lanesOf } from '../processes/world.js';
import { figure, spread, table } from '../report/markdown.js';

/** Those of migration 0018, by which operators' lists are read. */
const INDEXES = [
  'attempts_by_acceptance',
  'attempts_live',
  'attempts_by_end_state',
  'attempts_of_kind',
  'attempts_by_subject',
  'attempts_by_lane',
  'attempts_by_transaction',
];
/** The store’s, except that no commit waits for the disk and all of the log is there to count. */
const PRAGMAS =
  'pragma secure_delete = on; pragma synchronous = off; pragma wal_autocheckpoint = 0';
const [MICROS_PER_MS, BYTES_PER_KB] = [1_000, 1_000];

const Row = z.record(z.string(), z.union([z.string(), z.bigint(), z.null()]));
type Row = z.infer<typeof Row>;

/** What a withdrawal does to its attempt, in the order in which it does. */
const WRITES = ['accepted', 'broadcast', 'succeeded'] as const;

interface WriteCost {
  readonly micros: number;
  /** Of SQLite's log, which is brought to disk with each commit. */
  readonly logBytes: number;
}

interface Found {
  readonly fileBytes: number;
  readonly writes: readonly {
    readonly to: (typeof WRITES)[number];
    readonly micros: Rounds;
    readonly logBytes: Rounds;
  }[];
}

/** What the indexes that only operators read by cost every withdrawal. */
export const indexes: BenchCase = {
  title: 'Indexes of operators’ lists',
  async run(bench) {
    const { folder, node, plan, say } = bench;
    await node.setLatency(0);
    const store = await firstLedger(bench, 'indexed', lanesOf(0, 1));
    const { rows, writes } = plan.indexes;
    fillLedger(store.file, rows);
    const copy = store.copy(folder, 'plain');
    const [indexed, plain] = [store.file, copy.file];
    const fileBytes = { indexed: compact(indexed, []), plain: compact(plain, INDEXES) };
    const rounds = { indexed: [] as WriteCost[][], plain: [] as WriteCost[][] };
    for (let round = 0; round <= plan.rounds; round += 1) {
      const [withThem, without] = [write(indexed, writes, round), write(plain, writes, round)];
      // The first of everything is slow.
      if (round === 0) continue;
      rounds.indexed.push(withThem);
      rounds.plain.push(without);
    }
    store.remove();
    copy.remove();
    const found = {
      indexed: foundOf(fileBytes.indexed, rounds.indexed),
      plain: foundOf(fileBytes.plain, rounds.plain),
    };
    const bytes = (fileBytes.indexed - fileBytes.plain) / rows;
    say(`${INDEXES.length} indexes take ${figure(bytes)} bytes an attempt`);
    return {
      raw: found,
      headlines: [],
      text: `A compact SQLite file with ${rows.toLocaleString('en')} withdrawals that have ended, with the ${INDEXES.length} indexes of migration 0018 and without: ${figure(found.indexed.fileBytes / rows)} and ${figure(found.plain.fileBytes / rows)} bytes a withdrawal in all, so ${figure(bytes)} are theirs. Each write is a transaction of its own that no disk is waited for.\n\n${table(
        ['write of an attempt', 'µs with', 'µs without', 'log with, KB', 'log without, KB'],
        WRITES.map((to, index) => [
          to,
          ...[found.indexed, found.plain].map((one) => shown(one, index, 'micros', 1)),
          ...[found.indexed, found.plain].map((one) => shown(one, index, 'logBytes', BYTES_PER_KB)),
        ]),
      )}`,
    };
  },
};

/** @returns the file's size without these indexes and without free pages */
function compact(file: string, without: readonly string[]): number {
  const database = new DatabaseSync(file);
  try {
    for (const index of without) database.exec(`drop index "${index}"`);
    database.exec('vacuum; pragma wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
  return statSync(file).size;
}

/** Takes so many attempts through their states, as the store's statements do. */
function write(file: string, count: number, round: number): WriteCost[] {
  const database = new DatabaseSync(file, { readBigInts: true });
  try {
    database.exec(PRAGMAS);
    const template = Row.parse(
      database.prepare("select * from attempts where state = 'succeeded' order by seq").get(),
    );
    const { seq: _seq, key: _key, attempt: _attempt, ...set } = template;
    const columns = Object.keys({ ...set, key: null, attempt: null });
    const insert = database.prepare(
      `insert into attempts (${columns.join(', ')}) values (${columns.map((name) => `:${name}`).join(', ')})`,
    );
    const update = database.prepare(
      `update attempts set ${Object.keys(set)
        .map((name) => `${name} = :${name}`)
        .join(', ')} where key = :key and attempt = :attempt`,
    );
    return WRITES.map((to) =>
      costOf(database, file, to === 'accepted' ? insert : update, count, (index) =>
        rowIn(to, template, round, index),
      ),
    );
  } finally {
    database.close();
  }
}

function rowIn(to: (typeof WRITES)[number], template: Row, round: number, index: number): Row {
  const { seq: _seq, ...row } = template;
  const name = createHash('sha256').update(`${round} ${index}`).digest('hex');
  const isEnded = to === 'succeeded';
  return {
    ...row,
    key: `${String(row['subject'])}|${name}`,
    id: name,
    state: to,
    lane: to === 'accepted' ? null : (row['lane'] ?? null),
    // Above all that the service and the filling have used.
    nonce: to === 'accepted' ? null : BigInt(2_000_000_000 + index),
    accepted_at_ms: BigInt(row['accepted_at_ms'] ?? 0) + BigInt(index),
    ended_at_ms: isEnded ? BigInt(row['ended_at_ms'] ?? 0) + BigInt(index) : null,
    transaction_hash: isEnded ? `0x${name}` : null,
    gas_paid_fri: isEnded ? (row['gas_paid_fri'] ?? null) : null,
    is_final: 0n,
    wiped: 0n,
  };
}

function costOf(
  database: DatabaseSync,
  file: string,
  statement: StatementSync,
  count: number,
  rowOf: (index: number) => Row,
): WriteCost {
  const rows = Array.from({ length: count }, (_, index) => rowOf(index));
  const logBytes = (): number => statSync(`${file}-wal`).size;
  const [startBytes, startMs] = [logBytes(), performance.now()];
  for (const row of rows) {
    database.exec('begin immediate');
    statement.run(row);
    database.exec('commit');
  }
  const micros = ((performance.now() - startMs) * MICROS_PER_MS) / count;
  return { micros, logBytes: (logBytes() - startBytes) / count };
}

function foundOf(fileBytes: number, rounds: readonly WriteCost[][]): Found {
  return {
    fileBytes,
    writes: WRITES.map((to, index) => {
      const costs = rounds.flatMap((round) => round[index] ?? []);
      return {
        to,
        micros: roundsOf(costs.map(({ micros }) => micros)),
        logBytes: roundsOf(costs.map(({ logBytes }) => logBytes)),
      };
    }),
  };
}

function shown(
  { writes }: Found,
  index: number,
  what: 'micros' | 'logBytes',
  unit: number,
): string {
  const rounds = writes[index]?.[what].rounds ?? [];
  return spread(roundsOf(rounds.map((value) => value / unit)));
}
