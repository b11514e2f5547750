import type { BenchCase } from '../bench.js';
import { cost } from './cost.js';
import { eventLoop } from './event-loop.js';
import { footprint } from './footprint.js';
import { instances } from './instances.js';
import { lanes } from './lanes.js';
import { ledger } from './ledger.js';
import { reads } from './reads.js';
import { rejections } from './rejections.js';
import { roundTrips } from './round-trips.js';
import { solo } from './solo.js';
import { throughput } from './throughput.js';
import { writes } from './writes.js';

/** All cases, by the name that `--only` selects. */
export const CASES = {
  cost,
  solo,
  throughput,
  lanes,
  instances,
  'event-loop': eventLoop,
  writes,
  ledger,
  footprint,
  'round-trips': roundTrips,
  reads,
  rejections,
} as const satisfies Readonly<Record<string, BenchCase>>;

export type CaseName = keyof typeof CASES;
