import { createHash } from 'node:crypto';
import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from '@sotto/network-profile';
import type { Settings, SwapSettings } from '@sotto/relayer';

/** Fields of a pool's profile that determine how the API presents the pool. */
export type PoolPresentation = Pick<
  NetworkProfile['pools'][number],
  'kind' | 'denominationDivisor'
>;

/** Settings and profile values that the routes read. */
export interface HttpPolicy {
  readonly waitForConfirmationMs: number;
  readonly chainId: Felt;
  /** Presentation of each served pool in the API, by address. */
  readonly pools: ReadonlyMap<Felt, PoolPresentation>;
  /** {@link verificationKeyId} of the key that verifies the proofs. */
  readonly verificationKey: string;
  /** Limits of private swaps; null if private swaps are disabled. */
  readonly swap: {
    readonly swapPool: Felt;
    /** Minimum slippage tolerance of a swap, in millionths. */
    readonly minSlippagePpm: number;
    /**
     * Maximum price impact: how far a swap's output may be below its fair value, in basis points.
     */
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
    chainId: network.chainId,
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
 * Returns an identifier of a verification key: the SHA-256, in hex, of the key's coordinates as
 * decimals, joined by commas. The order is alpha, beta, gamma, delta and the points of IC. In each
 * point x is before y, and the coordinates of G2 are in snarkjs' order.
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
