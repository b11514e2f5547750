/** Address format of a chain. */
export type ChainFamily = 'evm' | 'solana' | 'near' | 'starknet';

/** Direction of a transfer. `in`: to STRK on Starknet. `out`: from STRK on Starknet. */
export type Direction = 'in' | 'out';

export interface BridgeToken {
  readonly symbol: string;
  /**
   * Decimals of the token's contract on this chain: 10^decimals smallest units are one whole token.
   */
  readonly decimals: number;
}

export interface BridgeChain {
  /** Lower-case name of the chain, as the bridge protocol spells it. */
  readonly id: string;
  readonly family: ChainFamily;
  readonly tokens: readonly BridgeToken[];
  readonly directions: readonly Direction[];
}

/** A token on a chain. */
export interface BridgeAsset {
  readonly chain: string;
  readonly family: ChainFamily;
  readonly symbol: string;
  readonly decimals: number;
}

/**
 * The only asset that is supported on Starknet. Every transfer has this asset as its source or its
 * destination. 18 decimals: specification, "Supported chains".
 */
export const STRK: BridgeAsset = {
  chain: 'starknet',
  family: 'starknet',
  symbol: 'STRK',
  decimals: 18,
};

const ETH: BridgeToken = { symbol: 'ETH', decimals: 18 };
const USDC: BridgeToken = { symbol: 'USDC', decimals: 6 };
const USDT: BridgeToken = { symbol: 'USDT', decimals: 6 };

/** Directions of all chains: the specification does not restrict the directions of any chain. */
const BOTH: readonly Direction[] = ['in', 'out'];

/**
 * Chains other than Starknet.
 *
 * - Names and tokens: specification, "Supported chains and tokens for bridging". The "one further
 *   chain of the intents network" is NEAR.
 * - Decimals: those of the token contracts that the intents network lists under these symbols.
 *   Native tokens have the decimals of their chain.
 *
 * A listed asset may still have no route at a given moment, because the solvers' liquidity changes.
 */
export const BRIDGE_CHAINS: readonly BridgeChain[] = [
  {
    id: 'ethereum',
    family: 'evm',
    tokens: [ETH, USDC, USDT, { symbol: 'WBTC', decimals: 8 }, { symbol: 'DAI', decimals: 18 }],
    directions: BOTH,
  },
  {
    id: 'solana',
    family: 'solana',
    tokens: [{ symbol: 'SOL', decimals: 9 }, USDC, USDT],
    directions: BOTH,
  },
  { id: 'base', family: 'evm', tokens: [ETH, USDC], directions: BOTH },
  {
    id: 'arbitrum',
    family: 'evm',
    tokens: [ETH, USDC, { symbol: 'ARB', decimals: 18 }],
    directions: BOTH,
  },
  {
    id: 'polygon',
    family: 'evm',
    tokens: [{ symbol: 'MATIC', decimals: 18 }, USDC],
    directions: BOTH,
  },
  {
    id: 'avalanche',
    family: 'evm',
    tokens: [{ symbol: 'AVAX', decimals: 18 }, USDC],
    directions: BOTH,
  },
  {
    id: 'optimism',
    family: 'evm',
    tokens: [ETH, USDC, { symbol: 'OP', decimals: 18 }],
    directions: BOTH,
  },
  {
    id: 'near',
    family: 'near',
    tokens: [{ symbol: 'NEAR', decimals: 24 }, USDC],
    directions: BOTH,
  },
];

export function assetsOf({ id, family, tokens }: BridgeChain): readonly BridgeAsset[] {
  return tokens.map((token) => ({ chain: id, family, ...token }));
}

/**
 * Returns the asset of a chain, including STRK on Starknet; undefined if the asset is not listed.
 */
export function listedAsset(
  chainId: string,
  symbol: string,
  chains: readonly BridgeChain[] = BRIDGE_CHAINS,
): BridgeAsset | undefined {
  return [STRK, ...chains.flatMap(assetsOf)].find(
    (asset) => asset.chain === chainId && asset.symbol === symbol,
  );
}
