import { statSync } from 'node:fs';
import type { Bench, BenchCase } from '../bench.js';
import { firstLedger } from '../ledger/first-ledger.js';
import { onUnfinalNode } from '../ledger/unfinal-node.js';
import { UNWIPED_ENV, fillLedger } from '../ledger/fill-ledger.js';
import { inParallel, relay } from '../load/relay.js';
import { roundsOf, type Rounds } from '../measure/statistics.js';
import { Service } from '../processes/service.js';
import type { SqliteStore } from '../processes/store.js';
import { lanesOf } from '../processes/world.js';
import { figure, spread, table } from '../report/markdown.js';

const LANES = 8;
const BYTES_PER_MB = 1e6;

interface Grown {
  readonly rows: number;
  readonly ledgerMb: number;
  /** From the start of the process until it takes withdrawals. */
  readonly readyMs: Rounds;
  readonly perSecond: Rounds;
  readonly cpuMs: Rounds;
  /** The longest that the event loop stood still. */
  readonly stallMs: Rounds;
  readonly residentMb: number;
}

/** What a ledger full of ended withdrawals changes. */
export const growth: BenchCase = {
  title: 'Growth of the ledger',
  async run(bench) {
    const found = await onUnfinalNode(bench, grownRounds);
    return {
      raw: found,
      headlines: [],
      text: `${LANES} accounts. Withdrawals in the ledger have ended; the newest 200,000 are not wiped.\n\n${table(
        [
          'withdrawals in the ledger',
          'file, MB',
          'start to ready, ms',
          'withdrawals/s',
          'processor time per withdrawal, ms',
          'longest stall, ms',
          'memory, MB',
        ],
        found.map(({ rows, ledgerMb, readyMs, perSecond, cpuMs, stallMs, residentMb }) => [
          rows.toLocaleString('en'),
          figure(ledgerMb),
          spread(readyMs),
          spread(perSecond),
          spread(cpuMs),
          spread(stallMs),
          figure(residentMb),
        ]),
      )}`,
    };
  },
};

async function grownRounds(bench: Bench): Promise<readonly Grown[]> {
  const store = await firstLedger(bench, 'growth', lanesOf(0, LANES));
  const found: Grown[] = [];
  let filled = 0;
  for (const rows of bench.plan.growth.rows) {
    if (rows > filled) fillLedger(store.file, rows - filled);
    filled = rows;
    found.push(await grown(bench, store, rows));
  }
  store.remove();
  return found;
}

async function grown(
  { folder, node, plan, withdrawals, say }: Bench,
  store: SqliteStore,
  rows: number,
): Promise<Grown> {
  const ledgerMb = statSync(store.file).size / BYTES_PER_MB;
  const start = (): Promise<Service> =>
    Service.start({
      folder,
      node: node.urls,
      lanes: lanesOf(0, LANES),
      store,
      env: UNWIPED_ENV,
    });
  const readyMs: number[] = [];
  for (let time = 1; time < plan.growth.starts; time += 1) {
    const started = await start();
    readyMs.push(started.readyAfterMs);
    await started.stop();
  }
  const service = await start();
  readyMs.push(service.readyAfterMs);
  const perSecond: number[] = [];
  const cpuMs: number[] = [];
  const stallMs: number[] = [];
  for (let round = 0; round <= plan.rounds; round += 1) {
    const count = plan.growth.withdrawals;
    withdrawals.prepare(count);
    const [cpuBeforeMs, startMs] = [await service.process.cpuMs(), performance.now()];
    service.process.watchDelay();
    await inParallel(plan.throughput.callers, count, () => relay(service, withdrawals));
    const seconds = (performance.now() - startMs) / 1_000;
    await service.settled();
    const { maxMs } = await service.process.delay();
    // The first of everything is slow.
    if (round === 0) continue;
    perSecond.push(count / seconds);
    cpuMs.push(((await service.process.cpuMs()) - cpuBeforeMs) / count);
    stallMs.push(maxMs);
  }
  const residentMb = (await service.process.usage()).residentBytes / BYTES_PER_MB;
  await service.stop();
  const result = {
    rows,
    ledgerMb,
    readyMs: roundsOf(readyMs),
    perSecond: roundsOf(perSecond),
    cpuMs: roundsOf(cpuMs),
    stallMs: roundsOf(stallMs),
    residentMb,
  };
  say(
    `${rows} rows: ready after ${spread(result.readyMs)} ms, ${spread(result.perSecond)} a second`,
  );
  return result;
}
