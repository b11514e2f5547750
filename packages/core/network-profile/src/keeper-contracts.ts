import type { LeveragedVault, LeverageLayout } from '@sotto/curator-core';
import type { PurchaseContract } from '@sotto/dca-core';
import type { ConvertedToken } from '@sotto/relayer-core';
import type { PoolToken } from '@sotto/market-core';
import { layoutOf } from './keeper-schemas.js';
import type { NetworkProfile } from './network-profile.js';

/**
 * Returns the purchase contract, which executes recurring purchases; null if the profile has none.
 */
export function purchaseContract({ purchases }: NetworkProfile): PurchaseContract | null {
  if (purchases === undefined) return null;
  const { address, deployedAt: firstBlock, keeperFeeBps } = purchases;
  return { address, firstBlock, keeperFeeBps, layout: layoutOf(purchases) };
}

/** Returns the vaults with a leverage description in the profile. */
export function leveragedVaults({
  vaults,
  tokens,
}: Pick<NetworkProfile, 'vaults' | 'tokens'>): readonly LeveragedVault[] {
  return vaults.flatMap(({ id, address, leverage }) => {
    if (leverage === undefined) return [];
    const layout: LeverageLayout = leverage.layout;
    return [
      {
        id,
        address,
        lendingPool: leverage.lendingPool,
        collateral: { symbol: 'WBTC', ...tokens.WBTC },
        debt: { symbol: 'USDC', ...tokens.USDC },
        layout,
      },
    ];
  });
}

/**
 * Returns the ERC-20 tokens that purchase orders may sell: all tokens with an oracle price except
 * WBTC.
 */
export function purchasedWith({ tokens, oracle }: NetworkProfile): readonly PoolToken[] {
  return Object.entries(tokens).flatMap(([symbol, token]) =>
    symbol === 'WBTC' || !Object.hasOwn(oracle.pairs, symbol) ? [] : [{ symbol, ...token }],
  );
}

/**
 * Returns the ERC-20 tokens of the profile whose earned fees are swapped to STRK, each with its
 * limits.
 */
export function convertedTokens(
  { tokens }: Pick<NetworkProfile, 'tokens'>,
  bounds: ReadonlyMap<string, Omit<ConvertedToken, 'token'>>,
): readonly ConvertedToken[] {
  return [...bounds].flatMap(([symbol, ofToken]) => {
    const token = tokens[symbol];
    return token === undefined ? [] : [{ ...ofToken, token: { symbol, ...token } }];
  });
}
