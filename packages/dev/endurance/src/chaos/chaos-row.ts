import { systemClock } from '@sotto/kernel';
import { eventually, type Variables } from '@sotto/process-kit';
import { truthOf, type Truth } from '../recovery/truth.js';
import type { Alerting } from './alerts.js';
import type { ChaosCase } from './cases.js';
import { watch } from './look.js';
import { World, missingFor } from './world.js';

export interface ChaosOptions {
  /** How long the load lasts before the fault. */
  readonly seconds: number;
  readonly withdrawalsPerSecond: number;
  /** Time of a fault at least, in seconds, so that alerts on consequences fire too. */
  readonly lasts: number;
}

/** What came of one fault. */
export interface ChaosRow {
  readonly name: string;
  readonly what: string;
  /** Why this machine could not stage it; null when it could. */
  readonly skipped: string | null;
  /** Whether looks are to show it. */
  readonly isShown: boolean;
  /** From the fault to the first look that showed it; null when none did. */
  readonly shownAfterSeconds: number | null;
  /** What looks showed until then. */
  readonly seen: readonly string[];
  /** From the end of the fault until the service took withdrawals again; null when it never did. */
  readonly recoveredAfterSeconds: number | null;
  /**
   * From the end of the fault until the first withdrawal that was accepted since its begin has
   * succeeded; null if none has.
   */
  readonly paidAfterSeconds: number | null;
  readonly isUpstream: boolean;
  /** Alerts of Prometheus; null without Prometheus. */
  readonly fired: readonly string[] | null;
  /** Those of them that a person received. */
  readonly reached: readonly string[] | null;
  readonly alert: string | null;
  readonly others: NonNullable<ChaosCase['others']> | null;
  /** Settings that differ from those of other cases. */
  readonly env: Variables;
  readonly truth: Truth | null;
  readonly findings: readonly string[];
}

/** An operator sees what is wrong within this time. */
const SHOWN_WITHIN_MS = 15_000;
/** The longest `for` of a rule, shortened, and some scrapes. */
const FIRES_WITHIN_MS = 45_000;
const CALM_WITHIN_MS = 60_000;
/** Leases run out, lanes are looked at again, prices are asked for again. */
const RECOVERS_WITHIN_MS = 120_000;
/** Longest time from the end of an upstream fault to the first withdrawal that succeeds. */
const PAID_WITHIN_MS = 5_000;

/** Stages one fault under a load that goes on, and judges what is seen of it and what it costs. */
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
    say(`${name}: not staged, because ${skipped}`);
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

/** The other faults are staged all the same. */
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
  // Seconds of the end are long for a shortened `for`, and shorter than any other.
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
      ? [`no look showed it within ${limit(SHOWN_WITHIN_MS)}, but: ${seen.join(', ')}`]
      : []),
    ...(staged.recoveredAfterSeconds === null || paid === null
      ? ['the service did not recover by itself']
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

/** What stands from before the start of the service has to end. @throws Error when it does not */
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
