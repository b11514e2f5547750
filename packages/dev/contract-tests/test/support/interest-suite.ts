import { expect, it } from '@jest/globals';
import { u256ToHalves } from '@sotto/kernel';
import { u256At, type KeeperWorld } from './keeper-worlds.js';

const USDC = 10n ** 6n;
const BTC = 10n ** 8n;
/** Interest rate of a millionth per second. */
const RATE_E18 = 10n ** 12n;
/** Index of the time of the last update in the result of `asset_config`. */
const LAST_UPDATED_AT = 13;

/** Declares tests of the lending pool and the turbo vault while debt grows every second. */
export function describeInterest(world: () => KeeperWorld): void {
  /** Returns collateral, debt and nominal debt of an account in the lending pool. */
  const positionOf = async (user: bigint): Promise<readonly [bigint, bigint, bigint]> => {
    const { lendingPool } = world().places;
    const felts = await world().view(lendingPool, 'position', user);
    const nominal = await world().view(lendingPool, 'nominal_debt', user);
    return [u256At(felts, 0), u256At(felts, 2), u256At(nominal, 0)];
  };

  it('grows at the configured rate, which the pool reports, and can be repaid in full', async () => {
    const { lendingPool, usdc } = world().places;
    const user = world().address('crowd1');
    const move = (entrypoint: string, amount: bigint) =>
      world().send(
        'crowd1',
        world().approval('wbtc', lendingPool, amount),
        world().approval('usdc', lendingPool, amount),
        { contract: lendingPool, entrypoint, calldata: u256ToHalves(amount) },
      );
    await world().setInterest(RATE_E18);
    await move('supply', BTC);
    await move('borrow', 20_000n * USDC);
    const [, before, nominal] = await positionOf(user);
    await world().passTime(1_000);
    const [, after, nominalAfter] = await positionOf(user);
    expect(before).toBeGreaterThanOrEqual(20_000n * USDC);
    expect(after - before).toBeGreaterThanOrEqual(20n * USDC);
    expect(after - before).toBeLessThan(21n * USDC);
    expect(nominalAfter).toBe(nominal);
    const config = await world().view(lendingPool, 'asset_config', usdc);
    const requested = [0n, 0n, config[LAST_UPDATED_AT] ?? 0n, ...u256ToHalves(20_000_000_000n)];
    expect(await world().view(lendingPool, 'interest_rate', usdc, ...requested)).toEqual(
      u256ToHalves(RATE_E18),
    );

    await move('repay', 10_000n * USDC);
    expect((await positionOf(user))[1]).toBeGreaterThanOrEqual(10_020n * USDC);
    await move('repay', 20_000n * USDC);
    expect(await positionOf(user)).toEqual([BTC, 0n, 0n]);
    await move('withdraw', BTC);
    await world().setInterest(0n);
    expect(await positionOf(user)).toEqual([0n, 0n, 0n]);
  });

  it('keeps a round of the turbo vault valid, up to three times its funds and back to no debt', async () => {
    const { turbo, wbtc } = world().places;
    await world().send('depositor', {
      contract: wbtc,
      entrypoint: 'transfer',
      calldata: [turbo, ...u256ToHalves(BTC)],
    });
    const deployment = { entrypoint: 'deploy_to_lending', calldata: u256ToHalves(BTC) };
    await world().send('curator', { contract: turbo, ...deployment });
    const held = await world().balance('usdc', turbo);
    const [funds] = await positionOf(turbo);
    await world().setInterest(RATE_E18);
    const round = async (
      entrypoint: 'leverage_round' | 'deleverage_round',
      amount: bigint,
    ): Promise<void> => {
      const [, before, nominal] = await positionOf(turbo);
      await world().passTime(60);
      expect((await positionOf(turbo))[1] > before).toBe(before > 0n);
      const calldata = [
        ...[nominal, amount, 0n].flatMap(u256ToHalves),
        ...world().routes(entrypoint === 'leverage_round' ? 'usdc' : 'wbtc'),
      ];
      const call = { contract: turbo, entrypoint, calldata };
      expect((await world().send('curator', call)).revertReason).toBeUndefined();
      // The position has changed since the call was planned.
      expect((await world().send('curator', call)).revertReason).toContain('Position changed');
    };
    for (const borrowed of [78_000n, 60_840n, 47_455n, 13_705n])
      await round('leverage_round', borrowed * USDC);
    expect((await positionOf(turbo))[0]).toBe(funds + 2n * BTC);
    for (const sats of [60_000_000n, 70_000_000n]) await round('deleverage_round', sats);
    // The amount also includes the interest that accrues until this transaction.
    await round('deleverage_round', 71_000_000n);
    const [left, debt, nominal] = await positionOf(turbo);
    expect([left, debt, nominal]).toEqual([funds - BTC / 100n, 0n, 0n]);
    const surplus = (await world().balance('usdc', turbo)) - held;
    // The limit is the value of 0.01 WBTC: 1,000 USDC.
    expect(surplus).toBeLessThan(1_000n * USDC);
    await world().setInterest(0n);
  });
}
