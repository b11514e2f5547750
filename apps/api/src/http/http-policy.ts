import { createHash } from 'node:crypto';
import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from '@sotto/network-profile';
import type { Settings, SwapSettings } from '@sotto/relayer';

/** Fields of a pool's profile that determine how the API presents the pool. */
export type PoolPresentation = Pick<
  NetworkProfile['pools'][number],
  'kind' | 'denominationDivisor'
>;

/** Settings that the routes read. */
export interface HttpPolicy {
  readonly waitForConfirmationMs: number;
  /** Presentation of the served pools, by address. */
  readonly pools: ReadonlyMap<Felt, PoolPresentation>;
  /** {@link verificationKeyId} of the key that proofs are checked with. */
  readonly verificationKey: string;
  /** Limits of private swaps; null if they are disabled. */
  readonly swap: {
    readonly swapPool: Felt;
    /** Minimum slippage tolerance, in millionths. */
    readonly minSlippagePpm: number;
    /** Largest accepted shortfall of a swap below its fair value, in hundredths of a percent. */
    readonly maxPriceImpactBps: number;
  } | null;
}

const PPM_PER_BPS = 100;

export function httpPolicy({
  network,
  relay,
  swap,
  verification,
}: Pick<Settings, 'network' | 'relay' | 'swap' | 'verification'>): HttpPolicy {
  return {
    waitForConfirmationMs: relay.waitForConfirmationMs,
    verificationKey: verificationKeyId(verification.key),
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

/**
 * SHA-256 in hex of a key's coordinates as decimals, joined by commas: alpha, beta, gamma, delta
 * and the points of IC, each x before y and each coordinate of G2 in snarkjs' order.
 */
function verificationKeyId({
  alpha,
  beta,
  gamma,
  delta,
  ic,
}: Settings['verification']['key']): string {
  const points = [alpha, beta, gamma, delta, ...ic];
  const coordinates = points.flatMap(({ x, y }) => [x, y].flat());
  return createHash('sha256').update(coordinates.join(',')).digest('hex');
}
