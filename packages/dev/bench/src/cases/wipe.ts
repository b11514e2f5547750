import { OpenLoad } from '@sotto/load-kit';
import { systemClock } from '@sotto/kernel';
import type { SandboxAccount } from '@sotto/sandbox';
import type { Bench, BenchCase } from '../bench.js';
import { UNWIPED_ENV, fillLedger } from '../ledger/fill-ledger.js';
import { firstLedger } from '../ledger/first-ledger.js';
import { onUnfinalNode } from '../ledger/unfinal-node.js';
import { relay } from '../load/relay.js';
import { inTurns } from '../measure/in-turns.js';
import { roundsOf } from '../measure/statistics.js';
import { Service } from '../processes/service.js';
import type { SqliteStore } from '../processes/store.js';
import { lanesOf } from '../processes/world.js';
import { figure, spread, table } from '../report/markdown.js';

const LANES = 4;
const UNWIPED_EVERY_MS = 100;

interface Window {
  readonly p99Ms: number;
  /** The longest that the event loop stood still. */
  readonly stallMs: number;
  /** For each withdrawal. */
  readonly cpuMs: number;
}

interface Wiping {
  readonly stallMs: number;
  /** From the moment that it listens. */
  readonly readyAfterMs: number;
  readonly tookMs: number;
}

/** What private bytes that are not wiped yet do to the event loop, and the wipe that takes them. */
export const wipe: BenchCase = {
  title: 'Private bytes of many withdrawals',
  async run(bench) {
    const { plan, say } = bench;
    const kept = await onUnfinalNode(bench, keptRounds);
    const wiping = await onUnfinalNode(bench, wipedRounds);
    const { rows, perSecond } = plan.wipe;
    say(`longest stall while ${figure(rows)} are wiped: ${stallOf(wiping.get(rows))}`);
    return {
      raw: { kept: Object.fromEntries(kept), wiping: Object.fromEntries(wiping) },
      headlines: [
        {
          what: `longest stall of the event loop at ${figure(rows)} unwiped rows; while they are wiped`,
          sotto: `${stallOf(kept.get(rows))}; ${stallOf(wiping.get(rows))}`,
          wanted: '< 10 ms',
        },
      ],
      text: [
        `Withdrawals that have ended and whose calldata and signed bytes are not wiped yet, under ${perSecond} withdrawals/s. Their private bytes are 32 each, not 64 KB: it is their number that could stop the loop.`,
        table(
          [
            'unwiped',
            'event-loop delay, p99 of the time, ms',
            'longest stall, ms',
            'processor time per withdrawal, ms',
          ],
          [...kept].map(([count, rounds]) => [
            figure(count),
            spread(roundsOf(rounds.map((each) => each.p99Ms))),
            spread(roundsOf(rounds.map((each) => each.stallMs))),
            spread(roundsOf(rounds.map((each) => each.cpuMs))),
          ]),
        ),
        'All of them due when the service starts, without other work: from the moment that it listens until the last of them is wiped.',
        table(
          ['due', 'ready after, ms', 'wiped after, ms', 'longest stall, ms'],
          [...wiping].map(([count, rounds]) => [
            figure(count),
            spread(roundsOf(rounds.map(({ readyAfterMs }) => readyAfterMs))),
            spread(roundsOf(rounds.map(({ tookMs }) => tookMs))),
            spread(roundsOf(rounds.map(({ stallMs }) => stallMs))),
          ]),
        ),
      ].join('\n\n'),
    };
  },
};

/** Under load, with no private bytes and with many that are to be kept. */
async function keptRounds(bench: Bench): Promise<ReadonlyMap<number, readonly Window[]>> {
  const { folder, node, plan } = bench;
  const services = new Map<number, Service>();
  for (const [index, count] of [0, plan.wipe.rows].entries()) {
    const [name, lanes] = [`wipe-${index}`, lanesOf(index, LANES)];
    const store = await firstLedger(bench, name, lanes);
    if (count > 0) fillLedger(store.file, count);
    const env = UNWIPED_ENV;
    services.set(count, await Service.start({ folder, name, node: node.urls, lanes, store, env }));
  }
  const windows = new Map(
    [...services].map(([count, service]) => [count, () => watched(bench, service)]),
  );
  await inTurns(1, windows);
  const found = await inTurns(plan.rounds, windows);
  for (const service of services.values()) await service.stop();
  return found;
}

function stallOf(rounds: readonly Pick<Window, 'stallMs'>[] = []): string {
  return `${spread(roundsOf(rounds.map(({ stallMs }) => stallMs)))} ms`;
}

async function watched({ plan, withdrawals }: Bench, service: Service): Promise<Window> {
  const { perSecond, windowMs } = plan.wipe;
  withdrawals.prepare((perSecond * windowMs) / 1_000);
  const load = new OpenLoad(async () => void (await relay(service, withdrawals)));
  const beforeMs = await service.process.cpuMs();
  service.process.watchDelay();
  load.start({ perSecond });
  await systemClock.sleep(windowMs);
  await load.end();
  await service.settled();
  const { timeP99Ms, maxMs } = await service.process.delay();
  const cpuMs = ((await service.process.cpuMs()) - beforeMs) / load.begun;
  return { p99Ms: timeP99Ms, stallMs: maxMs, cpuMs };
}

/**
 * The same many, all of them due: from the moment that the service listens until all are wiped,
 * with a copy of the ledger for each round; beside it the same without any.
 */
async function wipedRounds(bench: Bench): Promise<ReadonlyMap<number, readonly Wiping[]>> {
  const { rows } = bench.plan.wipe;
  const lanes = lanesOf(2, LANES);
  const empty = await firstLedger(bench, 'wipe-first', lanes);
  const filled = empty.copy(bench.folder, 'wipe-filled');
  fillLedger(filled.file, rows);
  return inTurns(
    bench.plan.rounds,
    new Map([
      [0, () => wiped(bench, empty, lanes)],
      [rows, () => wiped(bench, filled, lanes)],
    ]),
  );
}

async function wiped(
  { folder, node }: Bench,
  ledger: SqliteStore,
  lanes: readonly SandboxAccount[],
): Promise<Wiping> {
  const store = ledger.copy(folder, 'wipe-due');
  const service = await Service.start({
    folder,
    name: 'wipe-due',
    node: node.urls,
    lanes,
    store,
    env: { RETENTION_MS: '0' },
    watched: true,
  });
  const readyAfterMs = service.readyAfterMs - service.listeningAfterMs;
  const readyAtMs = performance.now();
  while (store.unwiped() > 0) await systemClock.sleep(UNWIPED_EVERY_MS);
  const tookMs = readyAfterMs + performance.now() - readyAtMs;
  const { maxMs } = await service.process.delay();
  await service.stop();
  return { stallMs: maxMs, readyAfterMs, tookMs };
}
