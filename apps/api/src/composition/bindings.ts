import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from '@sotto/network-profile';

// Identifiers of what the routes are made with and that has no class of its own.

/** What of a pool's profile decides how the API presents it. */
export type PoolPresentation = Pick<
  NetworkProfile['pools'][number],
  'kind' | 'denominationDivisor'
>;

/** What the routes themselves decide by. */
export abstract class HttpPolicy {
  abstract readonly waitForConfirmationMs: number;
  /** How the API presents the served pools, by address. */
  abstract readonly pools: ReadonlyMap<Felt, PoolPresentation>;
  /** What callers must know of private swaps; null when there are none. */
  abstract readonly swap: {
    readonly swapPool: Felt;
    /** Least tolerance, in millionths. */
    readonly minSlippagePpm: number;
    /** How far a swap may fall short of its fair value, in hundredths of a percent. */
    readonly maxPriceImpactBps: number;
  } | null;
}
