import type { Withdrawals } from './load/withdrawals.js';
import type { Flows } from './processes/flows.js';
import type { Node } from './processes/node.js';
import type { Postgres } from './processes/store.js';
import type { Plan } from './plan.js';

/** Plan, processes and output of a benchmark run. All cases use them. */
export interface Bench {
  readonly plan: Plan;
  readonly node: Node;
  readonly withdrawals: Withdrawals;
  readonly postgres: Postgres;
  readonly flows: Flows;
  /** Folder for temporary files. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

/** Row of the report's summary. If a figure is undefined, its cell is blank. */
export interface Headline {
  readonly what: string;
  readonly sotto: string;
  readonly usual?: string;
  /** Figure of the usual flow with the service's hash. */
  readonly ourHash?: string;
  /** Figure of native code (Rust) that runs only the computation. */
  readonly native?: string;
  /**
   * Ratio of two flows with its spread. Only for flows that were measured in alternating rounds.
   */
  readonly ratio?: string;
  readonly wanted: string;
}

/** Measured result of a case. */
export interface Finding {
  /** All measurements, for the file of raw results. */
  readonly raw: object;
  readonly headlines: readonly Headline[];
  /** Result as Markdown text. */
  readonly text: string;
}

export interface BenchCase {
  readonly title: string;
  run(bench: Bench): Promise<Finding>;
}
