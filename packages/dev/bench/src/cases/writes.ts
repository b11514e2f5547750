import { figure, figureTable, type Rounds, roundsOf, spread } from '@sotto/load-kit/report';
import { z } from 'zod';
import type { Bench, BenchCase } from '../bench.js';
import { inParallel, relay } from '../load/relay.js';
import { SQL_KINDS } from '../measure/sql-kind.js';
import { DiskCounters } from '../processes/disk-counters.js';
import { Service } from '../processes/service.js';
import { SqliteStore, type Store } from '../processes/store.js';
import { lanesAlone } from '../processes/world.js';

const LANES = 4;
const BYTES_PER_KB = 1_000;
/**
 * Program of the service as separate modules, so that its database drivers can be wrapped for
 * counting.
 */
const MODULES = import.meta.resolve('@sotto/api/modules');
const COUNTING = new URL('../processes/counting-preload.js', import.meta.url).href;
const Statements = z.record(z.enum(SQL_KINDS), z.number());

/** Totals of a process since its start. A total is null if it can't be counted on this machine. */
interface Used {
  readonly statements: z.output<typeof Statements>;
  readonly writtenBytes: number | null;
  /** Bytes that the service's own process has written. The operating system counts whole pages. */
  readonly pageBytes: number | null;
  readonly syncs: number | null;
}

/** Statements, bytes and syncs per withdrawal. */
interface PerWithdrawal {
  readonly store: string;
  readonly callers: number;
  readonly statements: Rounds;
  readonly byKind: Readonly<Record<(typeof SQL_KINDS)[number], Rounds>>;
  readonly writtenKb: Rounds | null;
  readonly pageKb: Rounds | null;
  readonly syncs: Rounds | null;
}

/** Counts statements and bytes written to disk, per withdrawal. */
export const writes: BenchCase = {
  title: 'Statements and bytes of a withdrawal',
  async run(bench) {
    const { folder, node, postgres } = bench;
    await node.setLatency(0);
    const disk = DiskCounters.make(folder);
    const found = [
      ...(await ofStore(bench, 'SQLite', SqliteStore.fresh(folder, 'writes'), disk)),
      ...(await ofPostgres(bench, await postgres.store())),
    ];
    const busiest = found
      .filter(({ store }) => store === 'SQLite')
      .toSorted((one, other) => other.callers - one.callers)[0];
    return {
      raw: found,
      headlines: [
        {
          what: 'statements / syncs / KB written per withdrawal',
          sotto: `${orNot(busiest?.statements)} / ${orNot(busiest?.syncs)} / ${orNot(busiest?.writtenKb)}`,
          wanted: '– / ≤ 3 / ≤ 150',
        },
      ],
      text: `Tuned settings. Statements include the beginnings and ends of transactions. SQLite’s bytes and syncs are those of the process, PostgreSQL’s bytes are those of its log. Whole pages are the system’s count for the service’s process, including the service’s log.\n\n${figureTable(
        [
          '',
          'callers',
          'statements',
          'reads',
          'writes',
          'begin, commit, rollback',
          'KB written',
          'KB, in whole pages',
          'syncs',
        ],
        found.map(({ store, callers, statements, byKind, writtenKb, pageKb, syncs }) => [
          store,
          figure(callers),
          spread(statements),
          spread(byKind.read),
          spread(byKind.write),
          spread(byKind.transaction),
          orNot(writtenKb),
          orNot(pageKb),
          orNot(syncs),
        ]),
      )}`,
    };
  },
};

function orNot(rounds: Rounds | null | undefined): string {
  return rounds === null || rounds === undefined ? 'not counted' : spread(rounds);
}

async function ofPostgres(bench: Bench, store: Store | null): Promise<readonly PerWithdrawal[]> {
  return store === null ? [] : ofStore(bench, 'PostgreSQL', store, null);
}

async function ofStore(
  bench: Bench,
  name: string,
  store: Store,
  disk: DiskCounters | null,
): Promise<readonly PerWithdrawal[]> {
  const { folder, node, plan } = bench;
  const service = await Service.start({
    folder,
    name: 'writes',
    node: node.urls,
    lanes: lanesAlone(LANES),
    store,
    program: MODULES,
    nodeOptions: ['--import', COUNTING],
    ...(disk === null ? {} : { env: disk.env }),
  });
  const used = async (): Promise<Used> => ({
    statements: Statements.parse(await service.process.query('statements')),
    writtenBytes: disk?.read().bytes ?? (await store.loggedBytes()),
    pageBytes: (await service.process.usage()).writtenBytes,
    syncs: disk?.read().syncs ?? null,
  });
  const found: PerWithdrawal[] = [];
  for (const { callers, count } of plan.writes.loads) {
    const rounds: Used[] = [];
    // The first round uses more statements and bytes, so its results are discarded.
    for (let round = 0; round <= plan.rounds; round += 1) {
      bench.withdrawals.prepare(count);
      const before = await used();
      await inParallel(callers, count, () => relay(service, bench.withdrawals));
      await service.settled();
      if (round > 0) rounds.push(perWithdrawal(before, await used(), count));
    }
    found.push({ store: name, callers, ...summed(rounds) });
  }
  await service.stop();
  return found;
}

function perWithdrawal(before: Used, after: Used, count: number): Used {
  const between = (from: number | null, to: number | null): number | null =>
    from === null || to === null ? null : (to - from) / count;
  const { read, write, transaction } = after.statements;
  return {
    statements: {
      read: (read - before.statements.read) / count,
      write: (write - before.statements.write) / count,
      transaction: (transaction - before.statements.transaction) / count,
    },
    writtenBytes: between(before.writtenBytes, after.writtenBytes),
    pageBytes: between(before.pageBytes, after.pageBytes),
    syncs: between(before.syncs, after.syncs),
  };
}

function summed(rounds: readonly Used[]): Omit<PerWithdrawal, 'store' | 'callers'> {
  const each = (of: (used: Used) => number): Rounds => roundsOf(rounds.map(of));
  const counted = (of: (used: Used) => number | null): Rounds | null => {
    const values = rounds.map(of).filter((value) => value !== null);
    return values.length === rounds.length ? roundsOf(values) : null;
  };
  return {
    statements: each(({ statements: { read, write, transaction } }) => read + write + transaction),
    byKind: {
      read: each(({ statements }) => statements.read),
      write: each(({ statements }) => statements.write),
      transaction: each(({ statements }) => statements.transaction),
    },
    writtenKb: counted(({ writtenBytes }) => kilobytes(writtenBytes)),
    pageKb: counted(({ pageBytes }) => kilobytes(pageBytes)),
    syncs: counted(({ syncs }) => syncs),
  };
}

function kilobytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / BYTES_PER_KB;
}
