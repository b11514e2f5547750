import { describe, expect, it } from '@jest/globals';
import type { Attempt } from '@sotto/submission-core';
import { FairValues } from '@sotto/market-core';
import { SwapRevalidator } from '../../src/index.js';
import { cycleCost } from '../../src/fees/domain/fee.js';
import {
  QUOTED,
  SELL_AMOUNT,
  aSwapWorld,
  saleOf,
  swapPolicy,
  type SwapWorld,
} from '../support/swap-world.js';
import { GAS_PRICES, PRICES } from '../support/world.js';

const NO_GAS = { l2Gas: 0n, l1Gas: 0n, l1DataGas: 0n };

/**
 * World with one waiting swap, and with the revalidator that checks this swap right before it is
 * signed.
 */
async function waiting(words: Parameters<SwapWorld['swap']>[0] = {}) {
  const world = aSwapWorld();
  const { submissionId } = await world.swap(words);
  const revalidator = new SwapRevalidator(
    {
      ledger: world.submissions,
      pins: world.pins,
      simulator: world.ports.simulator,
      fairValues: new FairValues(world.ports.marketPrices, swapPolicy.outputTokens),
      latestBlock: world.ports.latestBlock,
    },
    swapPolicy,
  );
  const attempt = (): Attempt => {
    const found = world.submissions.attempts.find(({ id }) => id === submissionId);
    if (found === undefined) throw new Error('the swap was not accepted');
    return found;
  };
  return { ...world, attempt, rejection: () => revalidator.rejectionOf(attempt()), revalidator };
}

/** Sets the prices of both sources to this share of the usual WBTC price, in thousandths. */
function setPrice({ prices, secondPrices }: SwapWorld, mille: bigint): void {
  const observed = PRICES.map((price) =>
    price.asset === 'WBTC' ? { ...price, usdE8: (price.usdE8 * mille) / 1_000n } : price,
  );
  prices.set(observed);
  secondPrices.set(observed);
}

describe('SwapRevalidator', () => {
  it('T3 before signing, simulates the swap’s call on the pre-confirmed block with the owner as sender', async () => {
    const { rejection, simulator, submissions } = await waiting();
    const before = simulator.simulated.length;
    expect(await rejection()).toBeNull();
    const [submission] = submissions.accepted;
    expect(simulator.simulated.slice(before)).toEqual([
      {
        ...submission?.target,
        calldata: submission?.calldata,
        as: swapPolicy.swapOwner,
        at: 'pre_confirmed',
      },
    ]);
  });

  it.each([
    ['Insufficient tokens received', 'SLIPPAGE_TOO_TIGHT'],
    ['SwapPool: commitment exists', 'COMMITMENT_EXISTS'],
    ['already withdrawn', 'SIMULATION_REVERTED'],
  ])(
    'T3: if the simulation of a swap reverts with "%s", the swap ends with the code %s',
    async (reason, code) => {
      const { rejection, simulator } = await waiting();
      simulator.revert(reason);
      expect(await rejection()).toBe(code);
    },
  );

  it('T3 delays a swap while the node can’t simulate it, or while a price is missing', async () => {
    const down = await waiting();
    down.simulator.fail();
    await expect(down.rejection()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    const unpriced = await waiting();
    unpriced.secondPrices.fail();
    await expect(unpriced.rejection()).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
  });

  it('T1 ends a swap whose minimum is too far below the current fair value', async () => {
    const world = await waiting({ slippagePpm: 20_000 });
    setPrice(world, 1_010n);
    expect(await world.rejection()).toBeNull();
    setPrice(world, 1_011n);
    expect(await world.rejection()).toBe('SWAP_BELOW_FLOOR');
  });

  it('T2 ends a swap whose minimum output is too low for the amount that a new simulation sells', async () => {
    const { rejection, simulator } = await waiting({ slippagePpm: 20_000 });
    simulator.calls([saleOf((SELL_AMOUNT * 105n) / 100n)]);
    expect(await rejection()).toBe('SWAP_BELOW_FLOOR');
    simulator.calls([]);
    expect(await rejection()).toBe('SIMULATION_REVERTED');
  });

  it('T1: checks the minimum output in the call against the pin and against the attempt’s stored terms', async () => {
    const { revalidator, attempt } = await waiting();
    const terms = attempt().terms;
    if (terms === null) throw new Error('a swap has terms');
    const stricter = `1 of ${QUOTED} at 9000`;
    expect(
      await revalidator.rejectionOf({ ...attempt(), terms: { ...terms, bounds: stricter } }),
    ).toBe('SWAP_BELOW_FLOOR');
    const { bounds: _, ...ofEarlierRelease } = terms;
    expect(await revalidator.rejectionOf({ ...attempt(), terms: ofEarlierRelease })).toBeNull();
  });

  it('T7 ends a swap whose route costs more than twice the cost assumed at admission', async () => {
    const { rejection, simulator, attempt, revalidator } = await waiting();
    const { terms } = attempt();
    if (terms === null) throw new Error('a swap has terms');
    const assumedFri = cycleCost(swapPolicy.cycleGas, GAS_PRICES).totalFri;
    const restFri = cycleCost(swapPolicy.cycleGas, GAS_PRICES, NO_GAS).totalFri;
    const mostL2Gas = (2n * assumedFri - restFri) / GAS_PRICES.l2GasFri;
    simulator.use({ ...NO_GAS, l2Gas: mostL2Gas });
    expect(await rejection()).toBeNull();
    simulator.use({ ...NO_GAS, l2Gas: mostL2Gas + 1n });
    expect(await rejection()).toBe('COST_EXCEEDS_QUOTE');
    const dearer = { ...terms, costFri: assumedFri + GAS_PRICES.l2GasFri };
    expect(await revalidator.rejectionOf({ ...attempt(), terms: dearer })).toBeNull();
  });

  it('T11 ends a swap that would exceed the L2 gas bound of its transaction', async () => {
    const { simulator, attempt, revalidator } = await waiting();
    const { limits } = attempt();
    const used = {
      ...NO_GAS,
      l2Gas: cycleCost(swapPolicy.cycleGas, GAS_PRICES).totalFri / 10n ** 11n,
    };
    simulator.use(used);
    const within = { ...attempt(), limits: { ...limits, l2Gas: used.l2Gas } };
    expect(await revalidator.rejectionOf(within)).toBeNull();
    const beyond = { ...attempt(), limits: { ...limits, l2Gas: used.l2Gas - 1n } };
    expect(await revalidator.rejectionOf(beyond)).toBe('COST_EXCEEDS_QUOTE');
  });

  it('T7: a swap whose cost has risen only because of gas prices is still signed', async () => {
    const { rejection, latestBlock } = await waiting();
    const { l2GasFri, l1DataGasFri } = GAS_PRICES;
    const times = 10n;
    latestBlock.setGasPrices({
      ...GAS_PRICES,
      l2GasFri: l2GasFri * times,
      l1DataGasFri: l1DataGasFri * times,
    });
    expect(await rejection()).toBeNull();
  });

  it('the swap revalidator ignores broadcast attempts and attempts that are no swaps', async () => {
    const { rejection, attempt, submissions, simulator, revalidator } = await waiting();
    simulator.revert('already withdrawn');
    const relayed = { ...attempt(), role: 'relay', kind: 'withdraw' } as const;
    expect(await revalidator.rejectionOf(relayed)).toBeNull();
    submissions.broadcast(attempt().id);
    expect(await rejection()).toBeNull();
  });

  it('rejects a waiting swap whose calldata is missing, because it can’t be checked', async () => {
    const { revalidator, attempt } = await waiting();
    await expect(revalidator.rejectionOf({ ...attempt(), id: 'unknown' })).rejects.toThrow(
      'calldata',
    );
  });
});
