import type { Withdrawals } from './load/withdrawals.js';
import type { Node } from './processes/node.js';
import type { Plan } from './plan.js';

/** What every case works with. */
export interface Bench {
  readonly plan: Plan;
  readonly node: Node;
  readonly withdrawals: Withdrawals;
  /** For temporary files. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

/** A line of the summary. */
interface Headline {
  readonly what: string;
  readonly sotto: string;
  readonly usual: string;
  /** `usual : sotto` or `sotto : usual`, whichever says how much better it is. */
  readonly ratio: string;
  readonly wanted: string;
}

/** What a case found. */
export interface Finding {
  /** Everything that was measured, for the file of raw results. */
  readonly raw: object;
  readonly headlines: readonly Headline[];
  /** Markdown. */
  readonly text: string;
}

export interface BenchCase {
  readonly title: string;
  run(bench: Bench): Promise<Finding>;
}
