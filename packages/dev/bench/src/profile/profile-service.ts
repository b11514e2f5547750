import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure, figureTable } from '@sotto/load-kit/report';
import type { Bench } from '../bench.js';
import { inParallel, relay } from '../load/relay.js';
import { Service } from '../processes/service.js';
import { lanesAlone } from '../processes/world.js';
import { selfTimes, type SelfTime } from './cpu-profile.js';

/** Program of the service as separate modules, so that the profile contains their names. */
const MODULES = import.meta.resolve('@sotto/api/modules');
const LANES = 4;
const WARM_UP = 100;
const WITHDRAWALS = 600;
const SHOWN = 25;
const MICROS_PER_MS = 1_000;

/**
 * Samples the service and its workers with Node's profiler while they relay withdrawals, including
 * start and warm-up.
 * @returns Markdown with the self times
 */
export async function profileService({
  node,
  folder,
  plan,
  withdrawals,
  say,
}: Bench): Promise<string> {
  const profiles = join(folder, 'profiles');
  mkdirSync(profiles);
  await node.setLatency(0);
  const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--enable-source-maps'];
  const service = await Service.start({
    folder,
    node: node.urls,
    lanes: lanesAlone(LANES),
    program: MODULES,
    nodeOptions,
  });
  await inParallel(plan.cost.callers, WARM_UP, () => relay(service, withdrawals));
  withdrawals.prepare(WITHDRAWALS);
  say(`sampling ${WITHDRAWALS} withdrawals`);
  await inParallel(plan.cost.callers, WITHDRAWALS, () => relay(service, withdrawals));
  await service.settled();
  await service.stop();
  const files = readdirSync(profiles).map((name) => readFileSync(join(profiles, name), 'utf8'));
  return files
    .map((text) => selfTimes(text))
    .toSorted((one, other) => busy(other) - busy(one))
    .map(renderThread)
    .join('\n\n');
}

function busy(times: readonly SelfTime[]): number {
  return times.reduce((sum, { micros }) => sum + micros, 0);
}

function renderThread(times: readonly SelfTime[], index: number): string {
  const places = new Map<string, number>();
  for (const { place, micros } of times) places.set(place, (places.get(place) ?? 0) + micros);
  const byPlace = [...places].toSorted(([, one], [, other]) => other - one).slice(0, SHOWN);
  return [
    `Thread ${index + 1}: ${perWithdrawal(busy(times))} ms of work per withdrawal`,
    figureTable(
      ['where', 'ms per withdrawal'],
      byPlace.map(([place, micros]) => [place, perWithdrawal(micros)]),
    ),
    figureTable(
      ['function', 'where', 'ms per withdrawal'],
      times.slice(0, SHOWN).map(({ name, place, micros }) => [name, place, perWithdrawal(micros)]),
    ),
  ].join('\n\n');
}

function perWithdrawal(micros: number): string {
  return figure(micros / MICROS_PER_MS / (WARM_UP + WITHDRAWALS));
}
