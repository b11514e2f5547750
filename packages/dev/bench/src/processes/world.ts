import { toFelt } from '@sotto/kernel';
import { extraLane, sandboxWorld, type SandboxAccount } from '@sotto/sandbox';

/** What is measured with: one pool, and accounts to sign with. */

const { lane1, lane2, lane3 } = sandboxWorld.accounts;
/** How many the longest list of one flow has; flows that run at the same time share none. */
const LANES_EACH = 8;
const MOST_FLOWS = 7;
/** Of services that a case has for itself, each with a new store. */
const ALONE = MOST_FLOWS - 1;
const FIRST_EXTRA_LANE = 4;
/** Besides the sandbox's own three. */
export const EXTRA_LANES = MOST_FLOWS * LANES_EACH - (FIRST_EXTRA_LANE - 1);

export const lanes: readonly SandboxAccount[] = [
  lane1,
  lane2,
  lane3,
  ...Array.from({ length: EXTRA_LANES }, (_, index) => extraLane(FIRST_EXTRA_LANE + index)),
];

/** Accounts of one flow's own. @param flow below 7; of services that run alone the last */
export function lanesOf(flow: number, count: number): readonly SandboxAccount[] {
  return lanes.slice(flow * LANES_EACH, flow * LANES_EACH + count);
}

/** Accounts of a service that a case has for itself: no flow that runs beside it has them. */
export function lanesAlone(count: number): readonly SandboxAccount[] {
  return lanesOf(ALONE, count);
}

export const pool = sandboxWorld.pools.sentinel_1x;
export const poolAddress = toFelt(pool.address);
export const feeAddress = toFelt(sandboxWorld.accounts.feeCollector.address);
