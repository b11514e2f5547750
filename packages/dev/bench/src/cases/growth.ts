import { rmSync, statSync } from 'node:fs';
import type { Bench, BenchCase } from '../bench.js';
import { RETENTION_MS, fillLedger } from '../ledger/fill-ledger.js';
import { relaySome } from '../ledger/relay-some.js';
import { inParallel, relay } from '../load/relay.js';
import { roundsOf, type Rounds } from '../measure/statistics.js';
import { Service } from '../processes/service.js';
import { figure, spread, table } from '../report/markdown.js';

const LANES = 8;
const BYTES_PER_MB = 1e6;
const MICROS_PER_MS = 1_000;

interface Grown {
  readonly rows: number;
  readonly ledgerMb: number;
  /** From the start of the process until it takes withdrawals. */
  readonly readyMs: Rounds;
  readonly perSecond: Rounds;
  readonly cpuMs: Rounds;
  readonly residentMb: number;
}

/** What a ledger full of ended withdrawals changes. */
export const growth: BenchCase = {
  title: 'Growth of the ledger',
  async run(bench) {
    const { folder, plan, node } = bench;
    await node.setLatency(0);
    const ledgerFile = `${folder}/growth.sqlite`;
    await relaySome(bench, ledgerFile, LANES);
    const found: Grown[] = [];
    let filled = 0;
    for (const rows of plan.growth.rows) {
      if (rows > filled) fillLedger(ledgerFile, rows - filled);
      filled = rows;
      found.push(await grown(bench, ledgerFile, rows));
    }
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${ledgerFile}${suffix}`, { force: true });
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
          'memory, MB',
        ],
        found.map(({ rows, ledgerMb, readyMs, perSecond, cpuMs, residentMb }) => [
          rows.toLocaleString('en'),
          figure(ledgerMb),
          spread(readyMs),
          spread(perSecond),
          spread(cpuMs),
          figure(residentMb),
        ]),
      )}`,
    };
  },
};

async function grown(
  { folder, node, plan, withdrawals, say }: Bench,
  ledgerFile: string,
  rows: number,
): Promise<Grown> {
  const ledgerMb = statSync(ledgerFile).size / BYTES_PER_MB;
  const start = (): Promise<Service> =>
    Service.start({
      folder,
      node: node.urls,
      lanes: LANES,
      ledgerFile,
      retentionMs: RETENTION_MS,
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
  for (let round = 0; round <= plan.rounds; round += 1) {
    const count = plan.growth.withdrawals;
    withdrawals.prepare(count);
    const [cpuBefore, startMs] = [(await service.process.usage()).cpuMicros, performance.now()];
    await inParallel(plan.throughput.callers, count, () => relay(service, withdrawals));
    const seconds = (performance.now() - startMs) / 1_000;
    await service.settled();
    // The first of everything is slow.
    if (round === 0) continue;
    perSecond.push(count / seconds);
    cpuMs.push(((await service.process.usage()).cpuMicros - cpuBefore) / MICROS_PER_MS / count);
  }
  const residentMb = (await service.process.usage()).residentBytes / BYTES_PER_MB;
  await service.stop();
  const result = {
    rows,
    ledgerMb,
    readyMs: roundsOf(readyMs),
    perSecond: roundsOf(perSecond),
    cpuMs: roundsOf(cpuMs),
    residentMb,
  };
  say(
    `${rows} rows: ready after ${spread(result.readyMs)} ms, ${spread(result.perSecond)} a second`,
  );
  return result;
}
