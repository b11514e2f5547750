import type { Withdrawals } from './load/withdrawals.js';
import type { Flows } from './processes/flows.js';
import type { Node } from './processes/node.js';
import type { Postgres } from './processes/store.js';
import type { Plan } from './plan.js';

/** What every case works with. */
export interface Bench {
  readonly plan: Plan;
  readonly node: Node;
  readonly withdrawals: Withdrawals;
  readonly postgres: Postgres;
  readonly flows: Flows;
  /** For temporary files. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

/** A line of the summary. What a column has no figure for is left out. */
export interface Headline {
  readonly what: string;
  readonly sotto: string;
  readonly usual?: string;
  /** The usual flow with the service's hash. */
  readonly ourHash?: string;
  /** What native code needs for the computing alone. */
  readonly native?: string;
  /** Of figures that were measured in turns, with its spread. */
  readonly ratio?: string;
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
