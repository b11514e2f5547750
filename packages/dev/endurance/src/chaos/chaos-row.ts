import { systemClock } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { truthOf, type Truth } from '../recovery/truth.js';
import type { Alerting } from './alerts.js';
import type { ChaosCase } from './cases.js';
import { watch } from './look.js';
import { World, missingFor } from './world.js';

export interface ChaosOptions {
  /** How long the load lasts before the fault. */
  readonly seconds: number;
  readonly withdrawalsPerSecond: number;
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
  /** Null where nothing watched. */
  readonly fired: readonly string[] | null;
  readonly must: readonly string[];
  readonly may: readonly string[];
  readonly truth: Truth | null;
  readonly findings: readonly string[];
}

/** An operator sees what is wrong within this time. */
const SHOWN_WITHIN_MS = 15_000;
/** The longest `for` of a rule that must fire, shortened, and some scrapes. */
const FIRES_WITHIN_MS = 45_000;
const CALM_WITHIN_MS = 60_000;
/** Leases run out, lanes are looked at again, prices are asked for again. */
const RECOVERS_WITHIN_MS = 120_000;

/** Stages one fault under a load that goes on, and judges what is seen of it and what it costs. */
export async function chaosRow(
  chaos: ChaosCase,
  alerting: Alerting | null,
  options: ChaosOptions,
  say: (text: string) => void,
): Promise<ChaosRow> {
  const { name, what, needs = [], must, may } = chaos;
  const skipped = missingFor(needs);
  const isShown = chaos.shows !== null;
  const unstaged = { name, what, isShown, must, may, seen: [], truth: null, findings: [] };
  if (skipped !== null) {
    say(`${name}: not staged, because ${skipped}`);
    return {
      ...unstaged,
      skipped,
      shownAfterSeconds: null,
      recoveredAfterSeconds: null,
      fired: null,
    };
  }
  const world = await World.start(needs, alerting, chaos.env);
  const staged = await stage(world, chaos, alerting, options).catch(failed);
  const keep = staged.findings.length > 0;
  if (keep) say(`${name}: ledger and logs are in ${world.stack.logFolder}`);
  await world.stop({ keep });
  return { ...unstaged, skipped, ...staged };
}

type Staged = Pick<
  ChaosRow,
  'shownAfterSeconds' | 'seen' | 'recoveredAfterSeconds' | 'fired' | 'truth' | 'findings'
>;

/** The other faults are staged all the same. */
function failed(error: unknown): Staged {
  const text = error instanceof Error ? error.message : String(error);
  return {
    shownAfterSeconds: null,
    seen: [],
    recoveredAfterSeconds: null,
    fired: null,
    truth: null,
    findings: [`could not be judged: ${text}`],
  };
}

async function stage(
  world: World,
  { inflict, shows, must, may }: ChaosCase,
  alerting: Alerting | null,
  { seconds, withdrawalsPerSecond }: ChaosOptions,
): Promise<Staged> {
  const service = await world.serve();
  await service.ready();
  world.callers.start(withdrawalsPerSecond);
  await systemClock.sleep(seconds * 1_000);
  if (alerting !== null) await untilCalm(alerting);

  const heal = await inflict(world);
  const { afterMs, seen } =
    shows === null
      ? { afterMs: null, seen: [] }
      : await watch(() => world.watched, shows, 2 * SHOWN_WITHIN_MS);
  if (alerting !== null) await untilFired(alerting, must);
  await heal();

  const recoveredAfterMs = await untilReady(world);
  await world.callers.end();
  const truth = await truthOf(
    world.stack,
    [...world.callers.answered.keys()],
    await world.paidOutside(),
  );
  const fired = alerting === null ? null : [...alerting.fired].toSorted();
  const expected = new Set([...must, ...may]);
  return {
    shownAfterSeconds: inSeconds(afterMs),
    seen,
    recoveredAfterSeconds: inSeconds(recoveredAfterMs),
    fired,
    truth,
    findings: [
      ...(shows !== null && (afterMs === null || afterMs > SHOWN_WITHIN_MS)
        ? [`no look showed it within ${SHOWN_WITHIN_MS / 1_000} s, but: ${seen.join(', ')}`]
        : []),
      ...(recoveredAfterMs === null ? ['the service did not recover by itself'] : []),
      ...(fired === null ? [] : must.filter((alert) => !fired.includes(alert))).map(
        (alert) => `${alert} did not fire`,
      ),
      ...(fired ?? [])
        .filter((alert) => !expected.has(alert))
        .map((alert) => `${alert} fired and must not`),
      ...truth.findings,
    ],
  };
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

async function untilFired(alerting: Alerting, must: readonly string[]): Promise<void> {
  await eventually(
    'the alerts to fire',
    () => must.every((name) => alerting.fired.has(name)),
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
