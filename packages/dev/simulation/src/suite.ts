import type { Disk, DiskOptions } from './disk.js';
import type { Mutant } from './mutants/index.js';
import { drawPlan } from './plan.js';
import type { RunKind, RunPlan } from './run-plan.js';
import { run, type RunResult } from './run.js';
import { shrink, storyOf } from './shrink.js';
import { Situations } from './situations.js';
import { names } from './weather.js';

export interface SuiteOptions {
  readonly seed: string;
  /** Maximum number of runs. If `minutes` is set, the suite may end earlier. */
  readonly runs: number;
  readonly minutes?: number;
  readonly mutant?: Mutant | null;
  /** Kind of all runs. @default each run draws its kind */
  readonly kind?: RunKind | null;
  /** Returns the disk for the run with this number; null for a ledger in memory. */
  readonly diskOf?: (run: number) => ((options: DiskOptions) => Promise<Disk>) | null;
  /** True if a failed run is shrunk. @default true */
  readonly shrinks?: boolean;
  /** Virtual time within which events may overlap; see `RunOptions`. */
  readonly overlapMs?: number;
  readonly onRun?: (result: RunResult) => void;
}

export interface SuiteResult {
  readonly runs: number;
  readonly situations: Situations;
  readonly counts: {
    requests: number;
    inclusions: number;
    crashes: number;
    sends: number;
    looks: number;
  };
  /** Log of the first run that broke a rule; null if no run broke a rule. */
  readonly story: string | null;
  readonly failed: RunResult | null;
}

/** Makes one run after another, each with its own seed, until a rule is broken. */
export async function suite({
  seed,
  runs,
  minutes = Infinity,
  mutant = null,
  kind = null,
  diskOf,
  shrinks = true,
  overlapMs,
  onRun,
}: SuiteOptions): Promise<SuiteResult> {
  const situations = new Situations();
  const counts = { requests: 0, inclusions: 0, crashes: 0, sends: 0, looks: 0 };
  const untilMs = performance.now() + minutes * 60_000;
  let made = 0;
  while (made < runs && performance.now() < untilMs) {
    const makeDisk = diskOf?.(made) ?? null;
    const options = {
      mutant,
      overlapMs: overlapMs ?? null,
      ...(makeDisk === null ? {} : { makeDisk }),
    };
    const result = await run(planOf(seed, made, kind), options);
    made += 1;
    situations.add(result.situations);
    for (const name of names(counts)) counts[name] += result.counts[name];
    onRun?.(result);
    if (result.violations.length === 0) continue;
    const story = shrinks
      ? storyOf(await shrink(result.plan, options))
      : `${result.violations[0]?.rule}: ${result.violations[0]?.detail}`;
    return { runs: made, situations, counts, story, failed: result };
  }
  return { runs: made, situations, counts, story: null, failed: null };
}

/**
 * Draws the plan of a run from the suite's seed and the run's number, so that the run can be
 * repeated alone.
 */
export function planOf(seed: string, number: number, kind: RunKind | null = null): RunPlan {
  return drawPlan(`${seed}.${number}`, kind);
}
