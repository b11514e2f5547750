import { toFelt } from '@sotto/kernel';
import { extraLane, sandboxWorld, type SandboxAccount } from '@sotto/sandbox';

/** What is measured with: one pool, and accounts to sign with. */

const { lane1, lane2, lane3 } = sandboxWorld.accounts;
/** Besides the sandbox's own three. */
export const EXTRA_LANES = 5;
const FIRST_EXTRA_LANE = 4;

export const lanes: readonly SandboxAccount[] = [
  lane1,
  lane2,
  lane3,
  ...Array.from({ length: EXTRA_LANES }, (_, index) => extraLane(FIRST_EXTRA_LANE + index)),
];
export const pool = sandboxWorld.pools.sentinel_1x;
export const poolAddress = toFelt(pool.address);
export const feeAddress = toFelt(sandboxWorld.accounts.feeCollector.address);
