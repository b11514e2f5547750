import { expect, it } from '@jest/globals';
import { u256ToHalves } from '@sotto/kernel';
import type { ContractCall } from './devnet-chain.js';
import { u256At, type KeeperWorld } from './keeper-worlds.js';

const USDC = 10n ** 6n;
const BTC = 10n ** 8n;
const E18 = 10n ** 18n;
/** Index of the time of the last update in the result of `asset_config`. */
const LAST_UPDATED_AT = 13;

/** Declares tests of the positions in the lending pool. */
export function describeLending(world: () => KeeperWorld): void {
  const pool = (entrypoint: string, amount: bigint): ContractCall => ({
    contract: world().places.lendingPool,
    entrypoint,
    calldata: u256ToHalves(amount),
  });
  const position = async (): Promise<readonly bigint[]> => {
    const felts = await world().view(
      world().places.lendingPool,
      'position',
      world().address('crowd1'),
    );
    return [u256At(felts, 0), u256At(felts, 2)];
  };
  const supply = (amount: bigint) =>
    world().send(
      'crowd1',
      world().approval('wbtc', world().places.lendingPool, amount),
      pool('supply', amount),
    );
  const repay = (amount: bigint) =>
    world().send(
      'crowd1',
      world().approval('usdc', world().places.lendingPool, amount),
      pool('repay', amount),
    );

  it('reports the maximum loan-to-value of the lent pair, and none of another pair', async () => {
    const { lendingPool, wbtc, usdc } = world().places;
    const pair = (...assets: readonly bigint[]) =>
      world().view(lendingPool, 'pair_config', ...assets);
    expect(await pair(wbtc, usdc)).toEqual([(85n * E18) / 100n, 0n, 0n]);
    expect(await pair(usdc, wbtc)).toEqual([0n, 0n, 0n]);
  });

  it('lends up to the maximum loan-to-value, and accepts no repayment above the debt', async () => {
    const { lendingPool, wbtc, usdc } = world().places;
    const config = (asset: bigint) => world().view(lendingPool, 'asset_config', asset);
    const before = [await config(wbtc), await config(usdc)].map(figures);
    await supply(BTC);
    expect(
      (await world().send('crowd1', pool('borrow', 85_000n * USDC + 1n))).revertReason,
    ).toContain('LTV exceeded');
    expect(
      (await world().send('crowd1', pool('borrow', 85_000n * USDC))).revertReason,
    ).toBeUndefined();
    expect(await position()).toEqual([BTC, 85_000n * USDC]);
    expect((await world().send('crowd1', pool('withdraw', 1n))).revertReason).toContain(
      'LTV exceeded',
    );
    expect(u256At(await world().view(lendingPool, 'utilization', usdc), 0)).toBe(
      (85n * E18) / 10_000n,
    );
    expect(figures(await config(wbtc))).toEqual(before[0]);

    await repay(35_000n * USDC);
    expect(await position()).toEqual([BTC, 50_000n * USDC]);
    expect(
      u256At(await world().view(lendingPool, 'debt_in_collateral', world().address('crowd1')), 0),
    ).toBe(BTC / 2n);
    const held = await world().balance('usdc', world().address('crowd1'));
    await repay(60_000n * USDC);
    expect(held - (await world().balance('usdc', world().address('crowd1')))).toBe(50_000n * USDC);
    expect((await repay(1n)).revertReason).toContain('No debt');
    expect((await world().send('crowd1', pool('withdraw', BTC + 1n))).revertReason).toContain(
      'Insufficient collateral',
    );
    await world().send('crowd1', pool('withdraw', BTC));
    expect(await position()).toEqual([0n, 0n]);
    expect([await config(wbtc), await config(usdc)].map(figures)).toEqual(before);
  });

  it('uses the oracle’s prices', async () => {
    await supply(BTC);
    await world().send('crowd1', pool('borrow', 50_000n * USDC));
    await world().setBtcPrice(58_000n);
    expect((await world().send('crowd1', pool('borrow', 1n))).revertReason).toContain(
      'LTV exceeded',
    );
    await world().setBtcPrice(0n);
    expect((await world().send('crowd1', pool('withdraw', 1n))).revertReason).toContain('No price');
    await repay(50_000n * USDC);
    await world().send('crowd1', pool('withdraw', BTC));
    await world().setBtcPrice(100_000n);
    expect(await position()).toEqual([0n, 0n]);
  });

  it('lends no more than its reserve, and rejects an amount of zero', async () => {
    const { lendingPool, usdc } = world().places;
    const reserve = u256At(await world().view(lendingPool, 'asset_config', usdc), 4);
    expect((await world().send('crowd1', pool('borrow', reserve + 1n))).revertReason).toContain(
      'Insufficient liquidity',
    );
    for (const entrypoint of ['supply', 'withdraw', 'borrow', 'repay'])
      expect((await world().send('crowd1', pool(entrypoint, 0n))).revertReason).toContain(
        'Zero amount',
      );
  });
}

/**
 * Returns the felts of the pool's configuration, with the time of the last update replaced by 0.
 */
function figures(felts: readonly bigint[]): readonly bigint[] {
  return felts.with(LAST_UPDATED_AT, 0n);
}
