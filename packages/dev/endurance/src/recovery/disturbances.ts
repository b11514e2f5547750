import { systemClock } from '@sotto/kernel';
import { EndedEarly, eventually, type Service, type Variables } from '@sotto/process-kit';
import type { Failpoint } from '@sotto/submission-core';
import { z } from 'zod';
import { liveAttempts } from '../ledger/read-ledger.js';
import type { Stack } from '../stack/stack.js';

/** Stack, callers and settings that a disturbance uses. */
export interface Scene {
  readonly stack: Stack;
  /** Number of times that a repeated disturbance happens. */
  readonly times: number;
  /** Duration of the load before the disturbance, in ms. */
  readonly loadMs: number;
  /** Starts a service and directs all callers to it. */
  readonly serve: (env?: Variables) => Promise<Service>;
  /** Directs all callers to this running service. */
  readonly take: (service: Service) => void;
  /** Leaves callers without a service until `serve` or `take` is called. */
  readonly close: () => void;
  /**
   * Value of RELAY_ACCOUNTS that contains one more account than the value in the stack's settings.
   */
  readonly moreAccounts: string;
  readonly report: (text: string) => void;
}

/** Observations during a disturbance. */
export interface Disturbed {
  readonly times: number;
  readonly mostInFlight: number;
  /** Maximum time during which no service was ready, in seconds. */
  readonly slowestSeconds: number;
  readonly findings: readonly string[];
}

export type Disturbance = (scene: Scene) => Promise<Disturbed>;

const KILLS_WHILE_ADOPTING = 2;
/** Maximum time for which the instance that holds the lanes is stopped, in ms. */
const HELD_UP_MS = 20_000;
/**
 * Minimum time for which the instance that holds the lanes is stopped, in ms. This is longer than
 * the lease and any running call.
 */
const LEASE_OVER_MS = 4_000;
/**
 * Number of additional stops if no other instance has leased the lanes yet. If the stopped instance
 * has an open database transaction, no other instance can lease the lanes.
 */
const MORE_TRIES = 4;
/** Time between two stops, in ms. Both instances run during this time. */
const BETWEEN_MS = 2_000;

/**
 * Stops the instance that holds the lanes, until its lease has expired and another instance has
 * leased its lanes. Then both instances run again. During each stop, callers use the instance that
 * is not stopped.
 */
export async function holdUp({
  stack,
  times,
  loadMs,
  serve,
  take,
  report,
}: Scene): Promise<Disturbed> {
  const first = await serve();
  await first.ready();
  const second = await stack.beside({ INSTANCE_ID: 'endurance-2' });
  let [mostInFlight, slowestMs, takenOver] = [0, 0, 0];
  try {
    await systemClock.sleep(loadMs);
    const mayRepeat = (time: number): boolean => takenOver === 0 && time < times + MORE_TRIES;
    for (let time = 0; time < times || mayRepeat(time); time += 1) {
      const [holder, other] = (await isReady(second)) ? [second, first] : [first, second];
      mostInFlight = Math.max(mostInFlight, liveAttempts(stack.databaseFile).size);
      holder.kill('SIGSTOP');
      take(other);
      const sinceMs = systemClock.monotonicMs();
      // If the stopped instance has an open database transaction, it locks the database file. Then
      // the other instance cannot lease the lanes.
      const isTaken = await becomesReady(other, HELD_UP_MS);
      await systemClock.sleep(Math.max(0, LEASE_OVER_MS - (systemClock.monotonicMs() - sinceMs)));
      holder.kill('SIGCONT');
      if (!isTaken)
        await eventually(
          'one of both to be ready',
          async () => (await isReady(other)) || isReady(holder),
        );
      takenOver += isTaken ? 1 : 0;
      slowestMs = Math.max(slowestMs, systemClock.monotonicMs() - sinceMs);
      report(
        `stopped ${time + 1} of ${times} times, lanes leased by the other instance ${takenOver} times`,
      );
      await systemClock.sleep(BETWEEN_MS);
    }
  } finally {
    take(first);
    second.kill('SIGTERM');
    await second.ended;
  }
  await first.ready();
  const findings = takenOver > 0 ? [] : ['no other instance ever leased the lanes'];
  return { times, mostInFlight, slowestSeconds: slowestMs / 1_000, findings };
}

const isReady = async (service: Service): Promise<boolean> =>
  (await service.get('/health/ready')).status === 200;

async function becomesReady(service: Service, withinMs: number): Promise<boolean> {
  return eventually('the other instance to become ready', () => isReady(service), withinMs).catch(
    () => false,
  );
}

/**
 * Kills the service with work in flight and starts it again with an older copy of the ledger, or
 * with an empty ledger.
 */
export function restore({
  copy,
  crashAt,
}: {
  readonly copy: boolean;
  readonly crashAt?: Failpoint;
}): Disturbance {
  const crashing: Variables = crashAt === undefined ? {} : { SOTTO_FAILPOINT: crashAt };
  return async ({ stack, loadMs, serve, close, report }) => {
    const before = await serve();
    await before.ready();
    await systemClock.sleep(loadMs);
    const kept = copy ? stack.copyLedger() : null;
    await systemClock.sleep(loadMs);
    const inFlight = await eventually('something to be in flight', () => {
      const live = liveAttempts(stack.databaseFile).size;
      return live > 1 ? live : undefined;
    });
    close();
    before.kill('SIGKILL');
    await before.ended;
    stack.replaceLedger(kept);
    report(`${inFlight} in flight are gone from the ledger`);

    const sinceMs = systemClock.monotonicMs();
    const kills = crashAt === undefined ? 0 : KILLS_WHILE_ADOPTING;
    for (let kill = 0; kill < kills; kill += 1) {
      const dying = await serve(crashing).catch(diedAtOnce);
      await dying?.ended;
      close();
      report(`killed during adoption, ${kill + 1} of ${KILLS_WHILE_ADOPTING} times`);
    }
    const after = await serve();
    const behind = kills === 0 ? await codeOfLedger(after) : BEHIND;
    await after.ready();
    // On a busy machine, the service may have caught up with the chain before the first poll of its
    // readiness. In this case, its log contains a message.
    const noticed = behind === BEHIND || after.process.output.includes(MADE_UP_FOR);
    const findings = noticed
      ? []
      : [`the service did not notice that its ledger is behind: ${behind}`];
    const slowestSeconds = (systemClock.monotonicMs() - sinceMs) / 1_000;
    return { times: 1 + kills, mostInFlight: inFlight, slowestSeconds, findings };
  };
}

/**
 * Restarts the service with an additional lane that the ledger does not know. Only this lane is
 * quarantined, and the known lane continues to send.
 */
export async function addLane({
  stack,
  loadMs,
  serve,
  close,
  moreAccounts,
  report,
}: Scene): Promise<Disturbed> {
  const before = await serve();
  await before.ready();
  await systemClock.sleep(loadMs);
  const inFlight = liveAttempts(stack.databaseFile).size;
  close();
  before.kill('SIGTERM');
  await before.ended;
  const sinceMs = systemClock.monotonicMs();
  const after = await serve({ RELAY_ACCOUNTS: moreAccounts });
  await after.ready();
  const slowestSeconds = (systemClock.monotonicMs() - sinceMs) / 1_000;
  const states = await lanesByState(after);
  const findings =
    (states.get('quarantined') ?? 0) === 1
      ? []
      : [`the added lane was not put into quarantine: ${[...states].join(' ')}`];
  report(`ready with the added lane in quarantine after ${slowestSeconds.toFixed(1)} s`);
  await eventually('both lanes to work', async () => {
    const { status } = await after.get('/health/ready');
    if (status !== 200) findings.push(`not ready while the added lane is in quarantine: ${status}`);
    const now = await lanesByState(after);
    return (now.get('ready') ?? 0) + (now.get('full') ?? 0) === 2;
  });
  return { times: 1, mostInFlight: inFlight, slowestSeconds, findings };
}

const Report = z.object({
  checks: z.record(z.string(), z.object({ code: z.string().nullable() })),
});
const BEHIND = 'LEDGER_BEHIND_CHAIN';
/** Message that a service logs when it has caught up with its chain. */
const MADE_UP_FOR = 'every nonce in question is consumed: the lanes carry calls';

/**
 * Returns the code of the ledger's readiness check. Waits until the service has compared the ledger
 * with the chain.
 */
async function codeOfLedger(service: Service): Promise<string | null> {
  return eventually('the ledger to be compared with the chain', async () => {
    const { checks } = Report.parse((await service.get('/health/ready')).body);
    const code = checks['ledger']?.code ?? 'none';
    return code === 'LEDGER_NOT_READ' || code === 'LEDGER_NOT_JUDGED' ? undefined : code;
  });
}

/** Returns the number of relay lanes by state, read from the metrics. */
async function lanesByState(service: Service): Promise<ReadonlyMap<string, number>> {
  const text = await service.metrics();
  return new Map(
    [...text.matchAll(/^sotto_lanes\{role="relay",state="(\w+)"\} (\d+)$/gm)].map(
      ([, state = '', count]) => [state, Number(count)],
    ),
  );
}

/**
 * Returns null if the service killed itself before it printed its address.
 * @throws any other error
 */
function diedAtOnce(error: unknown): null {
  if (error instanceof EndedEarly && error.ending.signal === 'SIGKILL') return null;
  throw error;
}
