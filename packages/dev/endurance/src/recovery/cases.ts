import { toFelt } from '@sotto/kernel';
import type { Variables } from '@sotto/process-kit';
import { chainName, lanes, type Chain } from '../stack/chain.js';
import { addLane, holdUp, restore, type Disturbance } from './disturbances.js';

type LaneName = keyof typeof lanes;

/**
 * Test case of a recovery. Either the ledger is damaged, or the process that holds the lanes is
 * stopped.
 */
export interface RecoveryCase {
  readonly name: string;
  /** Description for the report. */
  readonly what: string;
  /** Names of the accounts that the service has at its start. @default both accounts */
  readonly lanes?: readonly LaneName[];
  /** True if the disturbance is repeated `--times` times; false if it happens once. */
  readonly manyTimes: boolean;
  readonly disturb: Disturbance;
}

/**
 * Settings with short time limits, so that a recovery lasts seconds. The sandbox includes every
 * transaction within two seconds.
 */
export const RECOVERY_ENVIRONMENT = {
  POLL_INTERVAL_MS: '100',
  IDLE_INTERVAL_MS: '300',
  RESEND_AFTER_MS: '1000',
  LEASE_TTL_MS: '1500',
  POLL_TIMEOUT_MS: '5000',
  MAX_IN_FLIGHT_PER_LANE: '4',
  NONCE_WINDOW: '8',
  MEMPOOL_LIFETIME_MS: '5000',
  // Callers repeat a request whose response was lost, so the service can stop waiting early.
  WAIT_FOR_CONFIRMATION_MS: '5000',
  BREAKER_REVERTS: '1000',
  BREAKER_LOSSES: '1000',
  BREAKER_UPSTREAM_FAILURES: '1000',
} as const satisfies Variables;

/** Returns accounts with keys in the format of RELAY_ACCOUNTS. */
export function accountsOf(names: readonly LaneName[]): string {
  return JSON.stringify(
    names.map((name) => ({
      address: toFelt(lanes[name].address),
      privateKey: toFelt(lanes[name].privateKey),
    })),
  );
}

/**
 * Returns the operator's acceptance of the accounts' nonces for the first start. A service with an
 * existing ledger ignores it.
 */
export async function acceptanceOf(chain: Chain, names: readonly LaneName[]): Promise<string> {
  const entries = names.map(
    async (name) =>
      `${chainName}:${toFelt(lanes[name].address)}:${await chain.nonceOf(lanes[name].address)}`,
  );
  return (await Promise.all(entries)).join(',');
}

export const RECOVERY_CASES: readonly RecoveryCase[] = [
  {
    name: 'holder paused',
    what: 'the holder of the lanes is stopped (SIGSTOP) for longer than its lease, another instance leases the lanes, then the first one continues',
    manyTimes: true,
    disturb: holdUp,
  },
  {
    name: 'old copy',
    what: 'killed with work in flight, restarted with a copy of the ledger that is some seconds old',
    manyTimes: false,
    disturb: restore({ copy: true }),
  },
  {
    name: 'ledger lost',
    what: 'killed with work in flight, restarted with an empty ledger',
    manyTimes: false,
    disturb: restore({ copy: false }),
  },
  {
    name: 'killed during adoption',
    what: 'as `old copy`, and killed several more times, each time after an outcome was read from the chain',
    manyTimes: false,
    disturb: restore({ copy: true, crashAt: 'adopted' }),
  },
  {
    name: 'lane added',
    what: 'restarted with one more account, which the ledger has never contained, while the other account continues',
    lanes: ['lane1'],
    manyTimes: false,
    disturb: addLane,
  },
];
