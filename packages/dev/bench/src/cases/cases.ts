import type { BenchCase } from '../bench.js';
import { cost } from './cost.js';
import { growth } from './growth.js';
import { indexes } from './indexes.js';
import { reads } from './reads.js';
import { refusals } from './refusals.js';
import { roundTrips } from './round-trips.js';
import { throughput } from './throughput.js';

/** Every case by the name that selects it. */
export const CASES = {
  cost,
  throughput,
  'round-trips': roundTrips,
  reads,
  refusals,
  growth,
  indexes,
} as const satisfies Readonly<Record<string, BenchCase>>;

export type CaseName = keyof typeof CASES;
