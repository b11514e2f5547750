import { toFelt } from '@sotto/kernel';
import { extraLane, sandboxWorld, type SandboxAccount } from '@sotto/sandbox';

/** Pool and signing accounts that the benchmark uses. */

const { lane1, lane2, lane3 } = sandboxWorld.accounts;
/** Maximum number of accounts per flow. Flows that run at the same time have different accounts. */
const LANES_EACH = 8;
const MOST_FLOWS = 7;
/**
 * Index of the flow whose accounts are used by services that run alone in a case, each with a new
 * store.
 */
const ALONE = MOST_FLOWS - 1;
const FIRST_EXTRA_LANE = 4;
/** Number of accounts that are added to the sandbox's three accounts. */
export const EXTRA_LANES = MOST_FLOWS * LANES_EACH - (FIRST_EXTRA_LANE - 1);

export const lanes: readonly SandboxAccount[] = [
  lane1,
  lane2,
  lane3,
  ...Array.from({ length: EXTRA_LANES }, (_, index) => extraLane(FIRST_EXTRA_LANE + index)),
];

/**
 * Returns the accounts of one flow. @param flow index below 7; the last index is for services that
 * run alone
 */
export function lanesOf(flow: number, count: number): readonly SandboxAccount[] {
  return lanes.slice(flow * LANES_EACH, flow * LANES_EACH + count);
}

/** Returns the accounts of a service that runs alone. No concurrent flow uses these accounts. */
export function lanesAlone(count: number): readonly SandboxAccount[] {
  return lanesOf(ALONE, count);
}

export const pool = sandboxWorld.pools.sentinel_1x;
export const poolAddress = toFelt(pool.address);
export const feeAddress = toFelt(sandboxWorld.accounts.feeCollector.address);
