import type { RunKind } from '../run-plan.js';
import { run } from '../run.js';
import { planOf } from '../suite.js';
import { controlOf, type Mutant } from './mutant.js';

export interface Search {
  readonly mutant: Mutant;
  readonly runs: number;
  /**
   * First run in which the mutant breaks a rule that the control does not break; null if there is
   * no such run.
   */
  readonly found: { readonly rule: string; readonly kind: RunKind } | null;
  /**
   * Rule that the control broke, which makes the search invalid. Null if the control broke no rule.
   */
  readonly control: string | null;
}

export interface SearchOptions {
  readonly seed: string;
  readonly runs: number;
  readonly minutes?: number;
}

/**
 * Counts the runs until a mutant breaks a rule. Each run is compared with a control run without the
 * mutant's rule: the mutant's wrapper alone (in each run), or the original machine (in the run that
 * breaks a rule).
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
