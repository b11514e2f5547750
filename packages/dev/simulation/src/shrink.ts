import type { RunPlan } from './run-plan.js';
import { run, type RunOptions, type RunResult } from './run.js';
import { FAULT_KINDS, names, record, type FaultKind } from './weather.js';

export interface Shrunk {
  readonly plan: RunPlan;
  readonly runs: number;
  /** Result of the shortened run, with its recorded log. */
  readonly result: RunResult;
}

/**
 * Reduces a failing plan as long as the reduced plan breaks the same rule. Makes at most `mostRuns`
 * runs.
 */
export async function shrink(
  failed: RunPlan,
  options: RunOptions,
  mostRuns = 250,
): Promise<Shrunk> {
  const first = await run(failed, options);
  const rule = first.violations[0]?.rule;
  if (rule === undefined) throw new Error('the plan breaks no rule');
  const best = { plan: failed, result: first, runs: 1 };
  const breaksIt = async (plan: RunPlan): Promise<boolean> => {
    if (best.runs >= mostRuns) return false;
    best.runs += 1;
    const result = await run(plan, options);
    if (result.violations[0]?.rule !== rule) return false;
    Object.assign(best, { plan, result });
    return true;
  };
  for (let before = -1; before !== sizeOf(best.plan) && best.runs < mostRuns;) {
    before = sizeOf(best.plan);
    await shorten(best.plan, best.result, breaksIt);
    for (const kind of FAULT_KINDS)
      if (best.plan.weather[kind] > 0) await breaksIt(without(best.plan, kind));
    await eachPart(best.plan.happenings, (happenings) => breaksIt({ ...best.plan, happenings }));
    await eachPart(best.plan.callers, (callers) => breaksIt({ ...best.plan, callers }));
    for (const left of fewerPushes(best.plan.push)) await breaksIt({ ...best.plan, push: left });
    if (best.plan.processes > 1) await breaksIt({ ...best.plan, processes: 1 });
    if (best.plan.chain.replicas > 1)
      await breaksIt({ ...best.plan, chain: { ...best.plan.chain, replicas: 1 } });
    await spareCalls(() => best, breaksIt);
  }
  return {
    plan: best.plan,
    runs: best.runs,
    result: await run(best.plan, { ...options, isRecorded: true }),
  };
}

/**
 * Returns smaller push plans: first a plan without pushes, then the given plan with one push fault
 * removed.
 */
function fewerPushes(push: RunPlan['push']): RunPlan['push'][] {
  if (push === null) return [];
  const faults = names(push).filter((fault) => push[fault] > 0);
  return [null, ...faults.map((fault) => ({ ...push, [fault]: 0 }))];
}

/** Returns the approximate length of the log that a plan produces. */
export function sizeOf({
  weather,
  happenings,
  callers,
  processes,
  durationMs,
  spared,
}: RunPlan): number {
  const kinds = FAULT_KINDS.filter((kind) => weather[kind] > 0).length;
  return (
    kinds * 10 +
    happenings.length +
    callers.length * 3 +
    processes * 3 +
    Math.round(durationMs / 1_000) -
    spared.size / 1_000
  );
}

function without(plan: RunPlan, off: FaultKind): RunPlan {
  return {
    ...plan,
    weather: record((kind) => (kind === off ? 0 : plan.weather[kind])),
    happenings: plan.happenings.filter(({ kind }) => kind !== off),
  };
}

/**
 * Shortens the run: first to half or three quarters of the time until the violation, then to
 * exactly the time of the violation.
 */
async function shorten(
  plan: RunPlan,
  { violations }: RunResult,
  breaksIt: (plan: RunPlan) => Promise<boolean>,
): Promise<void> {
  const brokenAtMs = violations[0]?.atMs ?? plan.durationMs;
  for (const durationMs of [brokenAtMs * 0.5, brokenAtMs * 0.75, brokenAtMs + 1]) {
    if (durationMs >= plan.durationMs - 500) continue;
    const callers = plan.callers.filter(({ atMs }) => atMs <= durationMs);
    const happenings = plan.happenings.filter(({ atMs }) => atMs <= durationMs);
    if (await breaksIt({ ...plan, durationMs, callers, happenings })) return;
  }
}

/**
 * Removes items as long as the rule is still broken: first half of the items at a time, then a
 * quarter, and finally single items.
 */
async function eachPart<Item>(
  items: readonly Item[],
  breaksIt: (left: readonly Item[]) => Promise<boolean>,
): Promise<void> {
  let kept = items;
  for (
    let size = Math.ceil(kept.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let start = 0; start < kept.length;) {
      const left = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (await breaksIt(left)) kept = left;
      else start += size;
    }
  }
}

/**
 * Removes the faults of calls as long as the rule is still broken. First tries to remove all faults
 * together.
 */
async function spareCalls(
  best: () => { readonly plan: RunPlan; readonly result: RunResult },
  breaksIt: (plan: RunPlan) => Promise<boolean>,
): Promise<void> {
  for (let parts = 1; parts <= 16; parts *= 2) {
    for (let part = 0; part < parts; part += 1) {
      const { plan, result } = best();
      const faulty = result.faultyCalls;
      const size = Math.ceil(faulty.length / parts);
      const some = faulty.slice(part * size, (part + 1) * size);
      if (some.length > 0) await breaksIt({ ...plan, spared: new Set([...plan.spared, ...some]) });
    }
  }
}

/** Describes the failing run in a few lines: the fault kinds that were enabled, and the events. */
export function storyOf({ plan, runs, result }: Shrunk): string {
  const on = FAULT_KINDS.filter((kind) => plan.weather[kind] > 0);
  const lanes = plan.lanes.map(({ address, role }) => `${address} (${role})`).join(', ');
  const all = compressed(result.lines);
  const lines = all.slice(-160);
  return [
    `seed ${plan.seed}, a run of the kind "${plan.kind}", shrunk in ${runs} runs`,
    `lanes ${lanes}; window ${plan.settings.nonceWindow}; faults: ${on.length === 0 ? 'none' : on.join(', ')}`,
    ...(lines.length < all.length ? [`… ${all.length - lines.length} lines before`] : []),
    ...lines,
  ].join('\n');
}

/** If a line is repeated, removes its fourth and all later occurrences. */
function compressed(lines: readonly string[]): string[] {
  const kept: string[] = [];
  const counts = new Map<string, number>();
  for (const line of lines) {
    const text = line.slice(11);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count <= 3) kept.push(count === 3 ? `${line} (and again)` : line);
  }
  return kept;
}
