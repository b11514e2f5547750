import type { BridgeAsset } from '@sotto/bridge-core';
import type { Token } from './one-click.schemas.js';

/** Names of chains in 1Click, by the specification's names. */
const BLOCKCHAINS: ReadonlyMap<string, string> = new Map([
  ['ethereum', 'eth'],
  ['solana', 'sol'],
  ['base', 'base'],
  ['arbitrum', 'arb'],
  ['polygon', 'pol'],
  ['avalanche', 'avax'],
  ['optimism', 'op'],
  ['near', 'near'],
  ['starknet', 'starknet'],
]);

/**
 * Symbols that differ between 1Click and the specification: a renamed token, and a wrapped token.
 */
const OTHER_SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['polygon/MATIC', 'POL'],
  ['near/NEAR', 'wNEAR'],
]);

/**
 * Returns the id of an asset in the list of tokens. Returns undefined if the asset is unlisted,
 * listed twice, or listed with unreadable decimals. Returns undefined also if the decimals differ,
 * because it is then a different token. A guess could cost the whole amount.
 */
export function assetIdOf(
  tokens: readonly Token[],
  { chain, symbol, decimals }: BridgeAsset,
): string | undefined {
  const symbols = [symbol, OTHER_SYMBOLS.get(`${chain}/${symbol}`)];
  const [found, ...others] = tokens.filter(
    (token) => token.blockchain === BLOCKCHAINS.get(chain) && symbols.includes(token.symbol),
  );
  return found === undefined || others.length > 0 || found.decimals !== decimals
    ? undefined
    : found.assetId;
}

/** Returns symbol and decimals of an asset id; null if the list does not contain the id. */
export function unitOf(
  tokens: readonly Token[],
  assetId: string | undefined,
): Pick<BridgeAsset, 'symbol' | 'decimals'> | null {
  const [found] = tokens.filter((token) => token.assetId !== null && token.assetId === assetId);
  return found === undefined || found.assetId === null
    ? null
    : { symbol: found.symbol, decimals: found.decimals };
}
