import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from '@sotto/network-profile';
import type { Settings, SwapSettings } from '@sotto/relayer';

/** What of a pool's profile decides how the API presents it. */
export type PoolPresentation = Pick<
  NetworkProfile['pools'][number],
  'kind' | 'denominationDivisor'
>;

/** What the routes themselves decide by. */
export interface HttpPolicy {
  readonly waitForConfirmationMs: number;
  /** How the API presents the served pools, by address. */
  readonly pools: ReadonlyMap<Felt, PoolPresentation>;
  /** What callers must know of private swaps; null when there are none. */
  readonly swap: {
    readonly swapPool: Felt;
    /** Least tolerance, in millionths. */
    readonly minSlippagePpm: number;
    /** How far a swap may fall short of its fair value, in hundredths of a percent. */
    readonly maxPriceImpactBps: number;
  } | null;
}

const PPM_PER_BPS = 100;

export function httpPolicy({
  network,
  relay,
  swap,
}: Pick<Settings, 'network' | 'relay' | 'swap'>): HttpPolicy {
  return {
    waitForConfirmationMs: relay.waitForConfirmationMs,
    pools: new Map(network.pools.map((pool) => [pool.address, pool])),
    swap:
      swap === null || network.swapPool === undefined
        ? null
        : { swapPool: network.swapPool.address, ...limitsOf(swap) },
  };
}

function limitsOf({ minSlippageBps, maxPriceImpactBps }: SwapSettings) {
  return { minSlippagePpm: minSlippageBps * PPM_PER_BPS, maxPriceImpactBps };
}
