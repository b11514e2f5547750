import { expect, it } from '@jest/globals';
import { u256ToHalves } from '@sotto/kernel';
import type { ContractCall } from './devnet-chain.js';
import { u256At, type KeeperWorld } from './keeper-worlds.js';

const USDC = 10n ** 6n;
const BTC = 10n ** 8n;
/** Number of nominal debt units per unit of USDC, before interest accrues. */
const NOMINAL = 10n ** 12n;

/** Declares tests of the vault for the leveraged strategy. */
export function describeTurbo(world: () => KeeperWorld): void {
  const vault = (entrypoint: string, ...calldata: readonly bigint[]): ContractCall => ({
    contract: world().places.turbo,
    entrypoint,
    calldata,
  });
  const round = (
    kind: 'leverage_round' | 'deleverage_round',
    expectedNominalDebt: bigint,
    amount: bigint,
    minimum = 0n,
  ): ContractCall => {
    const felts = [expectedNominalDebt, amount, minimum].flatMap(u256ToHalves);
    return vault(kind, ...felts, ...world().routes(kind === 'leverage_round' ? 'usdc' : 'wbtc'));
  };
  const lever = (expectedDebt: bigint, borrow: bigint, minimum?: bigint) =>
    world().send('curator', round('leverage_round', expectedDebt * NOMINAL, borrow, minimum));
  const unwind = (expectedDebt: bigint, withdraw: bigint, minimum?: bigint) =>
    world().send('curator', round('deleverage_round', expectedDebt * NOMINAL, withdraw, minimum));
  const position = async (): Promise<readonly bigint[]> => {
    const felts = await world().view(world().places.turbo, 'position');
    return [u256At(felts, 0), u256At(felts, 2)];
  };
  const nominalDebt = async () => u256At(await world().view(world().places.turbo, 'position'), 4);
  const assets = async () => u256At(await world().view(world().places.turbo, 'total_assets'), 0);
  const give = (token: 'wbtc' | 'usdc', amount: bigint) =>
    world().send('depositor', {
      contract: world().places[token],
      entrypoint: 'transfer',
      calldata: [world().places.turbo, ...u256ToHalves(amount)],
    });

  it('supplies idle funds, leverages to three times its funds in rounds, and back', async () => {
    await give('wbtc', BTC);
    expect(await assets()).toBe(BTC);
    await world().send('curator', vault('deploy_to_lending', ...u256ToHalves(BTC)));
    expect([await position(), await assets()]).toEqual([[BTC, 0n], BTC]);

    for (const [debt, borrow] of [
      [0n, 78_000n],
      [78_000n, 60_840n],
      [138_840n, 47_455n],
      [186_295n, 13_705n],
    ] as const) {
      const bought = (borrow * BTC) / 100_000n;
      const { revertReason } = await lever(debt * USDC, borrow * USDC, bought);
      expect(revertReason).toBeUndefined();
      expect(await position()).toEqual([
        BTC + ((debt + borrow) * BTC) / 100_000n,
        (debt + borrow) * USDC,
      ]);
    }
    expect([await position(), await assets()]).toEqual([[3n * BTC, 200_000n * USDC], BTC]);
    expect(await nominalDebt()).toBe(200_000n * USDC * NOMINAL);

    expect((await unwind(200_000n * USDC, (6n * BTC) / 10n, 60_000n * USDC)).revertReason).toBe(
      undefined,
    );
    expect(await position()).toEqual([(24n * BTC) / 10n, 140_000n * USDC]);
    await unwind(140_000n * USDC, (7n * BTC) / 10n);
    await unwind(70_000n * USDC, (7n * BTC) / 10n);
    expect([await position(), await assets()]).toEqual([[BTC, 0n], BTC]);
  });

  it('rejects a round that was planned for another debt, so that no round is repeated', async () => {
    expect((await lever(0n, 10_000n * USDC)).revertReason).toBeUndefined();
    expect((await lever(0n, 10_000n * USDC)).revertReason).toContain('Position changed');
    const there = await position();
    expect((await unwind(9_999n * USDC, BTC / 10n)).revertReason).toContain('Position changed');
    expect(await position()).toEqual(there);
    await unwind(10_000n * USDC, BTC / 10n);
    expect((await unwind(10_000n * USDC, BTC / 10n)).revertReason).toContain('Position changed');
  });

  it('rejects every caller but the curator, a loan above the limit, and a bad price', async () => {
    for (const call of [
      round('leverage_round', 0n, USDC),
      round('deleverage_round', 0n, 1n),
      vault('deploy_to_lending', 1n, 0n),
    ])
      expect((await world().send('keeper1', call)).revertReason).toContain('Not owner');
    const there = await position();
    expect((await lever(0n, 85_000n * USDC + 1n)).revertReason).toContain('LTV exceeded');
    expect((await lever(0n, 1_000n * USDC, BTC / 100n + 1n)).revertReason).toContain(
      'Insufficient tokens received',
    );
    expect((await lever(0n, 0n)).revertReason).toContain('Zero amount');
    expect((await unwind(0n, 1n)).revertReason).toContain('No debt');
    expect(await position()).toEqual(there);
  });

  it('keeps surplus proceeds and transfers from other accounts for the next round', async () => {
    const { turbo } = world().places;
    await lever(0n, 10_000n * USDC);
    expect((await unwind(10_000n * USDC, 0n)).revertReason).toContain('Nothing to repay');
    await give('usdc', 4_000n * USDC);
    // This round withdraws no collateral. The USDC that were transferred to the vault repay the
    // debt.
    expect((await unwind(10_000n * USDC, 0n)).revertReason).toBeUndefined();
    expect((await position())[1]).toBe(6_000n * USDC);
    await unwind(6_000n * USDC, BTC / 10n);
    expect([(await position())[1], await world().balance('usdc', turbo)]).toEqual([
      0n,
      4_000n * USDC,
    ]);
    await lever(0n, 3_000n * USDC);
    expect((await unwind(3_000n * USDC, 0n)).revertReason).toBeUndefined();
    expect([(await position())[1], await world().balance('usdc', turbo)]).toEqual([
      0n,
      1_000n * USDC,
    ]);
  });
}
