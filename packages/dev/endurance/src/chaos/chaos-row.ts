import { systemClock } from '@sotto/kernel';
import { eventually, type Variables } from '@sotto/process-kit';
import { truthOf, type Truth } from '../recovery/truth.js';
import type { Alerting } from './alerts.js';
import type { ChaosCase } from './cases.js';
import { watch } from './poll.js';
import { World, missingFor } from './world.js';

export interface ChaosOptions {
  /** Duration of the load before the fault, in s. */
  readonly seconds: number;
  readonly withdrawalsPerSecond: number;
  /**
   * Minimum duration of a fault in s, long enough that alerts about consequences of the fault also
   * fire.
   */
  readonly lasts: number;
}

/** Result of running one fault. */
export interface ChaosRow {
  readonly name: string;
  readonly what: string;
  /** Reason why the fault can't be run on this machine; null if it can. */
  readonly skipped: string | null;
  /** True if the operator's status must show the fault. */
  readonly isShown: boolean;
  /**
   * Time in s from the fault to the first poll that showed the fault; null if no poll showed it.
   */
  readonly shownAfterSeconds: number | null;
  /** Reasons and warnings in the polls up to the poll that showed the fault. */
  readonly seen: readonly string[];
  /**
   * Time in s from the end of the fault until the service accepts withdrawals; null if it does not
   * accept withdrawals in time.
   */
  readonly recoveredAfterSeconds: number | null;
  /**
   * Time in s from the end of the fault until the first success of a withdrawal that was accepted
   * after the fault began; null if no such withdrawal succeeds.
   */
  readonly paidAfterSeconds: number | null;
  readonly isUpstream: boolean;
  /** Alerts that Prometheus fired; null if Prometheus is not installed. */
  readonly fired: readonly string[] | null;
  /** Alerts of `fired` that reached a person; null if Prometheus is not installed. */
  readonly reached: readonly string[] | null;
  readonly alert: string | null;
  readonly others: NonNullable<ChaosCase['others']> | null;
  /** Settings of the service that differ from those of other cases. */
  readonly env: Variables;
  readonly truth: Truth | null;
  readonly findings: readonly string[];
}

/** Maximum time in ms until the operator's status shows the fault. */
const SHOWN_WITHIN_MS = 15_000;
/**
 * Maximum time in ms until an alert fires: the longest `for` of a shortened rule, and some scrapes.
 */
const FIRES_WITHIN_MS = 45_000;
const CALM_WITHIN_MS = 60_000;
/**
 * Maximum time in ms until the service accepts withdrawals again. Leases must expire, lanes must be
 * polled and prices must be read again.
 */
const RECOVERS_WITHIN_MS = 120_000;
/** Maximum time in ms from the end of an upstream fault to the first successful withdrawal. */
const PAID_WITHIN_MS = 5_000;

/**
 * Runs one fault under a continuous load. Checks its alerts, the operator's status and the callers'
 * responses.
 */
export async function chaosRow(
  chaos: ChaosCase,
  alerting: Alerting | null,
  options: ChaosOptions,
  say: (text: string) => void,
): Promise<ChaosRow> {
  const { name, what, needs = [], alert, others = null, env = {}, isUpstream = false } = chaos;
  const skipped = missingFor(needs);
  const row = {
    name,
    what,
    skipped,
    isShown: chaos.shows !== null,
    alert,
    others,
    env,
    isUpstream,
  };
  if (skipped !== null) {
    say(`${name}: not run, because ${skipped}`);
    return { ...row, ...NOTHING };
  }
  const world = await World.start(needs, alerting, env);
  const staged = await stage(world, chaos, alerting, options).catch(failed);
  const keep = staged.findings.length > 0;
  if (keep) say(`${name}: ledger and logs are in ${world.stack.folder}`);
  await world.stop({ keep });
  return { ...row, ...staged };
}

type Staged = Pick<
  ChaosRow,
  | 'shownAfterSeconds'
  | 'seen'
  | 'recoveredAfterSeconds'
  | 'paidAfterSeconds'
  | 'fired'
  | 'reached'
  | 'truth'
  | 'findings'
>;

const NOTHING: Staged = {
  shownAfterSeconds: null,
  seen: [],
  recoveredAfterSeconds: null,
  paidAfterSeconds: null,
  fired: null,
  reached: null,
  truth: null,
  findings: [],
};

/** Returns the row of a fault whose run failed with an error. The other faults are still run. */
function failed(error: unknown): Staged {
  const text = error instanceof Error ? error.message : String(error);
  return { ...NOTHING, findings: [`could not be judged: ${text}`] };
}

async function stage(
  world: World,
  chaos: ChaosCase,
  alerting: Alerting | null,
  { seconds, withdrawalsPerSecond, lasts }: ChaosOptions,
): Promise<Staged> {
  const { inflict, shows, alert } = chaos;
  const service = await world.serve();
  await service.ready();
  world.callers.start(withdrawalsPerSecond);
  await systemClock.sleep(seconds * 1_000);
  if (alerting !== null) await untilCalm(alerting);

  world.callers.mark();
  const heal = await inflict(world);
  const startMs = systemClock.monotonicMs();
  const { afterMs, seen } =
    shows === null
      ? { afterMs: null, seen: [] }
      : await watch(() => world.watched, shows, 2 * SHOWN_WITHIN_MS);
  if (alerting !== null) await untilReached(alerting, alert);
  await systemClock.sleep(Math.max(0, startMs + lasts * 1_000 - systemClock.monotonicMs()));
  // Read the alerts before the fault is healed. The recovery needs some seconds. In this time, an
  // alert with a shortened `for` could fire that would not fire with the unmodified `for`.
  const fired = alerting === null ? null : [...alerting.fired].toSorted();
  const reached = alerting === null ? null : [...alerting.reached].toSorted();

  await heal();
  const [recoveredAfterMs, paidAfterMs] = await Promise.all([
    untilReady(world),
    world.callers.firstSuccess(RECOVERS_WITHIN_MS),
  ]);
  await world.callers.end();
  const truth = await truthOf(
    world.stack,
    [...world.callers.answered.keys()],
    await world.paidOutside(),
  );
  const staged = {
    shownAfterSeconds: inSeconds(afterMs),
    seen,
    recoveredAfterSeconds: inSeconds(recoveredAfterMs),
    paidAfterSeconds: inSeconds(paidAfterMs),
    fired,
    reached,
    truth,
  };
  return { ...staged, findings: [...findingsOf(chaos, staged), ...truth.findings] };
}

function findingsOf(
  { shows, alert, others, isUpstream }: ChaosCase,
  staged: Omit<Staged, 'findings'>,
): readonly string[] {
  const { shownAfterSeconds: shown, seen, paidAfterSeconds: paid, reached } = staged;
  const expected = new Set([alert, ...(others?.alerts ?? [])]);
  return [
    ...(shows !== null && (shown === null || shown > SHOWN_WITHIN_MS / 1_000)
      ? [
          `no poll showed the fault within ${limit(SHOWN_WITHIN_MS)}; the polls showed: ${seen.join(', ')}`,
        ]
      : []),
    ...(staged.recoveredAfterSeconds === null || paid === null
      ? ['the service did not recover automatically']
      : []),
    ...(isUpstream === true && paid !== null && paid > PAID_WITHIN_MS / 1_000
      ? [
          `the first withdrawal succeeded ${paid.toFixed(1)} s after it, not ${limit(PAID_WITHIN_MS)}`,
        ]
      : []),
    ...(reached === null || alert === null || reached.includes(alert)
      ? []
      : [`${alert} reached no person`]),
    ...(reached ?? [])
      .filter((name) => !expected.has(name))
      .map((name) => `${name} reached a person, of another cause`),
  ];
}

/**
 * Waits until alerts that fired before the service started have ended. @throws Error if they do not
 * end
 */
async function untilCalm(alerting: Alerting): Promise<void> {
  await eventually(
    'no alert to fire in fair weather',
    async () => (await alerting.firing()).length === 0,
    CALM_WITHIN_MS,
  );
  alerting.forget();
}

const limit = (ms: number): string => `${ms / 1_000} s`;

async function untilReached(alerting: Alerting, alert: string | null): Promise<void> {
  if (alert === null) return;
  await eventually(
    'the alert to reach a person',
    () => alerting.reached.has(alert),
    FIRES_WITHIN_MS,
  ).catch(() => undefined);
}

async function untilReady(world: World): Promise<number | null> {
  const startMs = systemClock.monotonicMs();
  return eventually(
    'the service to recover',
    async () => {
      const answer = await world.watched
        .request('/health/ready', { signal: AbortSignal.timeout(5_000) })
        .catch(() => null);
      return answer?.status === 200;
    },
    RECOVERS_WITHIN_MS,
  ).then(
    () => systemClock.monotonicMs() - startMs,
    () => null,
  );
}

const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);
