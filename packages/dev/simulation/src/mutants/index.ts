import { COPY_MUTANTS } from './copies.js';
import { EVIDENCE_MUTANTS } from './evidence.js';
import { GUARD_MUTANTS } from './guards.js';
import { POLL_MUTANTS } from './polls.js';
import type { Mutant } from './mutant.js';
import { PUSH_MUTANTS } from './pushes.js';

export type { Mutant } from './mutant.js';

export const MUTANTS: readonly Mutant[] = [
  ...POLL_MUTANTS,
  ...GUARD_MUTANTS,
  ...PUSH_MUTANTS,
  ...EVIDENCE_MUTANTS,
  ...COPY_MUTANTS,
];
