import type { RunKind } from '../run-plan.js';
import { run } from '../run.js';
import { planOf } from '../suite.js';
import { controlOf, type Mutant } from './mutant.js';

export interface Search {
  readonly mutant: Mutant;
  readonly runs: number;
  /** The first run in which a rule is broken with the mutant and holds without it. */
  readonly found: { readonly rule: string; readonly kind: RunKind } | null;
  /**
   * What breaks although the rule is as ever: then nothing was found. Null when the control holds
   * in all these runs.
   */
  readonly control: string | null;
}

export interface SearchOptions {
  readonly seed: string;
  readonly runs: number;
  readonly minutes?: number;
}

/**
 * How many runs it takes to find the machine with a guard off. The control is the same without the
 * mutant's rule: its wrapper alone, in each of the runs, or the machine as it is, in the run that
 * breaks.
 */
export async function search(
  mutant: Mutant,
  { seed, runs, minutes = Infinity }: SearchOptions,
): Promise<Search> {
  const wrapper = controlOf(mutant);
  const untilMs = performance.now() + minutes * 60_000;
  let made = 0;
  while (made < runs && performance.now() < untilMs) {
    const plan = planOf(seed, made, mutant.kind ?? null);
    const [violation] = (await run(plan, { mutant })).violations;
    made += 1;
    if (violation === undefined && wrapper === null) continue;
    const [broken] = (await run(plan, { mutant: wrapper })).violations;
    if (broken !== undefined)
      return { mutant, runs: made, found: null, control: `${broken.rule}: ${broken.detail}` };
    if (violation !== undefined)
      return {
        mutant,
        runs: made,
        found: { rule: violation.rule, kind: plan.kind },
        control: null,
      };
  }
  return { mutant, runs: made, found: null, control: null };
}
