import type { ChaosCase } from './cases/chaos-case.js';
import { LEDGER_CASES } from './cases/ledger.js';
import { NODE_CASES } from './cases/node.js';
import { OBSERVING_CASES } from './cases/observing.js';
import { PROCESS_CASES } from './cases/process.js';
import { STORE_CASES } from './cases/store.js';

export type { ChaosCase } from './cases/chaos-case.js';

export const CHAOS_CASES: readonly ChaosCase[] = [
  ...PROCESS_CASES,
  ...STORE_CASES,
  ...NODE_CASES,
  ...LEDGER_CASES,
  ...OBSERVING_CASES,
];
