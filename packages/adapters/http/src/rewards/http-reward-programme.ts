import { createUpstream, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import type { LendingPool, RewardProgramme } from '@sotto/staking-core';
import { RewardsMalformed, RewardsTimedOut, RewardsUnavailable } from './errors.js';
import { toSupplyAprE18 } from './translate.js';

const TRAITS = {
  name: 'the rewards interface',
  timeoutMs: 5_000,
  maxAttempts: 2,
  /**
   * Maximum size of a response in bytes. A pool with all its pairs needs some tens of kilobytes.
   */
  maxResponseBytes: 2 * 2 ** 20,
  errors: {
    TimedOut: RewardsTimedOut,
    Unavailable: RewardsUnavailable,
    Malformed: RewardsMalformed,
  },
};

/**
 * Reads the rates of the BTCFi programme from the lending protocol's HTTP interface, at `/pools/…`
 * below the interface's address.
 */
export class HttpRewardProgramme implements RewardProgramme {
  readonly #http: Upstream;

  constructor(settings: UpstreamSettings) {
    this.#http = createUpstream(TRAITS, settings);
  }

  async supplyAprE18(lendingPool: LendingPool): Promise<bigint> {
    // A felt consists of hex digits only, so it cannot change the path.
    const { text } = await this.#http.get({ path: `pools/${lendingPool.pool}` });
    try {
      return toSupplyAprE18(text, lendingPool);
    } catch (error) {
      if (error instanceof RewardsMalformed) this.#http.leaveOut(placeOf(error));
      throw error;
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }
}

function placeOf({ details }: RewardsMalformed): string {
  return String(details['at'] ?? '');
}
