import { systemClock } from '@sotto/kernel';
import { eventually, type Service, type Variables } from '@sotto/process-kit';
import { CRASH_POINTS, type CrashPoint } from '../crash/points.js';
import {
  calm,
  LATE_MS,
  LATEST_MS,
  loseThenRefuse,
  refuseLate,
  type Disturbance,
} from '../crash/stirs.js';
import { inFlight } from '../ledger/read-ledger.js';
import type { Stack } from '../stack/stack.js';
import type { KeeperJudgement } from './judge.js';
import { Keepers, type Keeper, type KeeperPoint } from './keepers.js';
import { KeeperWorld, VAULTS, type Work } from './world.js';

export interface KeeperMatrixOptions {
  /** Number of kills at each failpoint. */
  readonly times: number;
}

/**
 * Result of a run in which two keepers were killed alternately, until every failpoint was reached.
 */
export interface KeeperMatrix {
  /** Number of kills by failpoint, in order of the first kill. */
  readonly kills: Readonly<Record<string, number>>;
  /** Number of times that new work was created on the chain. */
  readonly steps: number;
  /** Maximum time from a kill until the remaining keepers had done all due work, in seconds. */
  readonly slowestRecoverySeconds: number;
  readonly judgement: KeeperJudgement;
}

/** Returns the disturbances that run only when new work is created, by failpoint. */
function stirsWithWork(): Partial<Record<CrashPoint['name'], Disturbance>> {
  let lateMs = LATE_MS;
  return {
    // The gap must be below other calls of the same account, and no retry may fill the gap. The
    // delay doubles each time, because a busy machine needs longer to send the next calls.
    filled: (chain) => {
      const disturb = refuseLate(lateMs);
      lateMs = Math.min(2 * lateMs, LATEST_MS);
      return disturb(chain);
    },
    // The lane sends only one call, and it is unknown whether this call was broadcast.
    cancelled: loseThenRefuse,
  };
}

/**
 * Settings with delays before retries that are longer than the delay of a rejection. So neither a
 * call nor a due time is retried before the rejection arrives.
 */
const PATIENT: Variables = { KEEPER_RETRY_BASE_MS: '10000', RESEND_AFTER_MS: '8000' };

const POINTS: readonly CrashPoint[] = CRASH_POINTS.map(({ stir, ...point }) => ({
  ...point,
  ...(stir === undefined || point.name in stirsWithWork() ? {} : { stir }),
  ...(point.name === 'filled' ? { env: { ...point.env, ...PATIENT } } : {}),
}));

/**
 * Starts one keeper: a service that runs the keeper tasks. To test another program, replace this
 * function.
 */
const startKeeper = (stack: Stack, env: Variables): Promise<Service> => stack.beside(env);

const POLL_EVERY_MS = 50;
/**
 * Interval between two reads of the remaining work, in ms. One read needs about twelve requests,
 * and keepers poll twice per second.
 */
const QUERY_EVERY_MS = 250;
const STIR_EVERY_MS = 300;
const REACH_TIMEOUT_MS = 240_000;
/**
 * Maximum time for the oldest keeper to reach its failpoint, in ms. A keeper usually needs a few
 * seconds after it has leased the lanes.
 */
const TAKE_OVER_MS = 30_000;
const KEEPERS = 2;

/** Returns all findings of the run; empty if keepers did all due work exactly once. */
export function keeperFindings({ judgement }: KeeperMatrix): readonly string[] {
  return judgement.findings;
}

/**
 * Runs two keepers with all tasks on one ledger while the chain creates work. The keeper that holds
 * the leases is killed at a failpoint. The other keeper leases the lanes and is killed at the next
 * failpoint. A new process replaces each killed keeper. At the end, the last keeper finishes the
 * work and the chain's transactions are judged.
 * @param say receives progress lines
 */
export async function keeperMatrix(
  stack: Stack,
  { times }: KeeperMatrixOptions,
  say: (text: string) => void,
): Promise<KeeperMatrix> {
  const keepers = new Keepers((env) => startKeeper(stack, env));
  const world = await KeeperWorld.prepare(stack.chain, (target) => keepers.lead(target));
  const todo: { point: KeeperPoint; after: number }[] = POINTS.flatMap((point) =>
    Array.from({ length: times }, (_, time) => ({ point, after: 1 + (time % point.times) })),
  );
  const withWork = stirsWithWork();
  const kills = new Map<string, number>();
  let [steps, slowestMs] = [0, 0];
  const startMs = systemClock.monotonicMs();
  let openKills: readonly number[] = [];
  const startNext = async (again: KeeperPoint | null = null): Promise<void> => {
    const next = again === null ? todo.shift() : { point: again, after: 1 };
    await keepers.start(next?.point ?? null, next?.after ?? 1);
  };
  const killNewer = async (): Promise<void> => {
    for (const { point } of await keepers.killNewer())
      if (point !== null) todo.unshift({ point, after: 1 });
  };
  const isDone = async (): Promise<boolean> =>
    inFlight(stack.databaseFile) === 0 && (await world.isDone());
  const noteDone = (): void => {
    for (const killedMs of openKills)
      slowestMs = Math.max(slowestMs, systemClock.monotonicMs() - killedMs);
    openKills = [];
  };

  try {
    await startNext();
    let stirred: Keeper | undefined;
    let disturb: Disturbance | undefined;
    let nextStirMs = 0;
    let takeOverMs = 0;
    let nextQueryMs = 0;
    while (todo.length > 0 || keepers.count === 0 || keepers.areArmed) {
      // The keeper that was started last is never killed, and holds the lanes until the end.
      if (keepers.count < (todo.length > 0 || keepers.areArmed ? KEEPERS : 1)) await startNext();
      for (const { point } of await keepers.died()) {
        const name = point?.name ?? 'none';
        kills.set(name, (kills.get(name) ?? 0) + 1);
        openKills = [...openKills, systemClock.monotonicMs()];
        say(`${name}: killed after ${secondsSince(startMs)} s, ${steps} steps`);
        await calm(stack.chain);
      }
      const { oldest } = keepers;
      if (oldest === undefined) continue;
      const nowMs = systemClock.monotonicMs();
      if (oldest !== stirred) {
        [stirred, disturb, nextStirMs] = [oldest, oldest.point?.stir?.(), nowMs];
        takeOverMs = nowMs + TAKE_OVER_MS;
      }
      // On a busy machine, a newer keeper may have leased the free lanes before the oldest keeper
      // did.
      if (nowMs >= takeOverMs) {
        await killNewer();
        takeOverMs = nowMs + TAKE_OVER_MS;
      }
      const { point, startedMs } = oldest;
      if (nowMs - startedMs > (point?.restartAfterMs ?? Number.POSITIVE_INFINITY)) {
        await keepers.kill(oldest);
        await startNext(point);
        continue;
      }
      if (nowMs - startedMs > REACH_TIMEOUT_MS)
        throw new Error(`no keeper got to "${point?.name}" in ${REACH_TIMEOUT_MS} ms`);
      const requests = nowMs >= nextQueryMs;
      if (requests) nextQueryMs = nowMs + QUERY_EVERY_MS;
      if (requests && (await isDone())) {
        noteDone();
        if (point !== null) await withWork[point.name]?.(stack.chain);
        await world.give(workFor(point));
        steps += 1;
      }
      if (disturb !== undefined && nowMs >= nextStirMs) {
        await disturb(stack.chain);
        nextStirMs = nowMs + STIR_EVERY_MS;
      }
      await systemClock.sleep(POLL_EVERY_MS);
    }
    await calm(stack.chain);
    await eventually('the keepers to finish', isDone);
    noteDone();
    await world.give(workFor(null));
    steps += 1;
    await eventually('the keepers to finish', isDone);
    return {
      kills: Object.fromEntries(kills),
      steps,
      slowestRecoverySeconds: slowestMs / 1_000,
      judgement: await world.judge(),
    };
  } finally {
    await keepers.stop();
  }
}

function secondsSince(startMs: number): string {
  return ((systemClock.monotonicMs() - startMs) / 1_000).toFixed(1);
}

function workFor(point: KeeperPoint | null): Work {
  const [none, all] = [{ due: false, lead: false, drain: false, deposit: false }, VAULTS];
  if (point?.name === 'filled') return { ...none, vaults: all };
  if (point?.name === 'cancelled') return { ...none, vaults: 1 };
  return {
    vaults: all,
    due: true,
    lead: true,
    // A rollback could undo a payment to the lane. Then the amount that the lane needs would
    // change.
    drain: point?.name !== 'reopened',
    // If a disturbed chain drops a deposit, the depositor does not send it again.
    deposit: point?.stir === undefined,
  };
}
