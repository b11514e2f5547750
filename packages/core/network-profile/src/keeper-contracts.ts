import type { LeveragedVault, LeverageLayout } from '@sotto/curator-core';
import type { PurchaseContract } from '@sotto/dca-core';
import type { ConvertedToken } from '@sotto/relayer-core';
import type { PoolToken } from '@sotto/market-core';
import { layoutOf } from './keeper-schemas.js';
import type { NetworkProfile } from './network-profile.js';

/** Returns the contract of recurring purchases; null if the profile names none. */
export function purchaseContract({ purchases }: NetworkProfile): PurchaseContract | null {
  if (purchases === undefined) return null;
  const { address, deployedAt: firstBlock, keeperFeeBps } = purchases;
  return { address, firstBlock, keeperFeeBps, layout: layoutOf(purchases) };
}

/** Returns the vaults whose leverage the profile describes. */
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

/** Returns the tokens that orders may sell: those with a price of the oracle, except WBTC. */
export function purchasedWith({ tokens, oracle }: NetworkProfile): readonly PoolToken[] {
  return Object.entries(tokens).flatMap(([symbol, token]) =>
    symbol === 'WBTC' || !Object.hasOwn(oracle.pairs, symbol) ? [] : [{ symbol, ...token }],
  );
}

/** Returns the profile's tokens that fees are swapped from, each with its bounds. */
export function convertedTokens(
  { tokens }: Pick<NetworkProfile, 'tokens'>,
  bounds: ReadonlyMap<string, Omit<ConvertedToken, 'token'>>,
): readonly ConvertedToken[] {
  return [...bounds].flatMap(([symbol, ofToken]) => {
    const token = tokens[symbol];
    return token === undefined ? [] : [{ ...ofToken, token: { symbol, ...token } }];
  });
}
