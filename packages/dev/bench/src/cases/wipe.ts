import { OpenLoad } from '@sotto/load-kit';
import { systemClock } from '@sotto/kernel';
import type { Bench, BenchCase } from '../bench.js';
import { RETENTION_MS, fillLedger } from '../ledger/fill-ledger.js';
import { firstLedger } from '../ledger/first-ledger.js';
import { relay } from '../load/relay.js';
import { inTurns } from '../measure/in-turns.js';
import { roundsOf } from '../measure/statistics.js';
import { Service } from '../processes/service.js';
import { lanesOf } from '../processes/world.js';
import { figure, spread, table } from '../report/markdown.js';

const LANES = 4;
const LOOK_EVERY_MS = 250;

interface Window {
  readonly p99Ms: number;
  /** The longest that the event loop stood still. */
  readonly stallMs: number;
  /** For each withdrawal. */
  readonly cpuMs: number;
}

interface Wiping {
  readonly stallMs: number;
  readonly tookMs: number;
}

/** What private bytes that are not wiped yet do to the event loop, and the wipe that takes them. */
export const wipe: BenchCase = {
  title: 'Private bytes of many withdrawals',
  async run(bench) {
    const { node, plan, say } = bench;
    await node.setLatency(0);
    const kept = await keptRounds(bench);
    const wiping = await wipedRounds(bench);
    const { rows, perSecond } = plan.wipe;
    const full = kept.get(rows);
    const stallMs = roundsOf(wiping.map((round) => round.stallMs));
    const tookMs = roundsOf(wiping.map((round) => round.tookMs));
    say(`longest stall while ${figure(rows)} are wiped: ${spread(stallMs)} ms`);
    return {
      raw: { kept: Object.fromEntries(kept), wiping },
      headlines: [
        {
          what: `longest stall of the event loop at ${figure(rows)} unwiped rows; while they are wiped`,
          sotto: `${full === undefined ? '' : spread(roundsOf(full.map((each) => each.stallMs)))} ms; ${spread(stallMs)} ms`,
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
        `All ${figure(rows)} wiped at once, without other work: ${spread(tookMs)} ms, the longest stall ${spread(stallMs)} ms.`,
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
    const env = { RETENTION_MS: String(RETENTION_MS) };
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

/** The same many, all of them due: a copy of the ledger for each round. */
async function wipedRounds(bench: Bench): Promise<readonly Wiping[]> {
  const { folder, node, plan } = bench;
  const lanes = lanesOf(2, LANES);
  const filled = await firstLedger(bench, 'wipe-filled', lanes);
  fillLedger(filled.file, plan.wipe.rows);
  const rounds: Wiping[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    const store = filled.copy(folder, 'wipe-due');
    const env = { RETENTION_MS: '0' };
    const service = await Service.start({
      folder,
      name: 'wipe-due',
      node: node.urls,
      lanes,
      store,
      env,
    });
    const startMs = performance.now();
    service.process.watchDelay();
    while ((await store.unwiped()) > 0) await systemClock.sleep(LOOK_EVERY_MS);
    const { maxMs } = await service.process.delay();
    rounds.push({ stallMs: maxMs, tookMs: performance.now() - startMs });
    await service.stop();
  }
  return rounds;
}
