import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import * as fc from 'fast-check';
import { WithdrawalAdmission } from '../../src/index.js';
import { type GasUsed } from '@sotto/submission-core';
import { cycleCost } from '../../src/fees/domain/fee.js';
import { friToFeeToken } from '@sotto/market-core';
import { estimateFee } from '../../src/fees/domain/fee-estimate.js';
import { CYCLE_GAS, FEE_MARGIN_PERCENT } from '../../src/testing/index.js';
import { calldataWith, goodCalldata, proofOf } from '../support/vector.js';
import {
  aWorld,
  pool,
  policy,
  poolState,
  quote,
  GAS_PRICES,
  type World,
} from '../support/world.js';

const ESTIMATED: GasUsed = {
  l2Gas: CYCLE_GAS.withdrawL2Gas,
  l1Gas: 0n,
  l1DataGas: CYCLE_GAS.l1DataGasPerStep,
};
/**
 * Gas use of four times the estimate. The cycle then costs 81 sats at these prices, instead of 21.
 */
const FOURFOLD: GasUsed = { ...ESTIMATED, l2Gas: 4n * ESTIMATED.l2Gas };

/** Gas use with which the cycle costs just below twice the estimate. */
const NEARLY_TWICE: GasUsed = { ...ESTIMATED, l2Gas: 2n * ESTIMATED.l2Gas };

const positive = (max: bigint) => fc.bigInt({ min: 1n, max });

/** Creates a valid proof with this fee. */
function withFee(fee: bigint, world: World = aWorld()) {
  const calldata = calldataWith({ fee });
  world.verifier.accept(proofOf(calldata));
  return { world, calldata };
}

class NonceHasMoved extends DomainError {
  readonly code = 'NODE_REFUSED_CALL';
  readonly kind = 'upstream_failed';
}

class Busy extends DomainError {
  readonly code = 'OVERLOADED';
  readonly kind = 'unavailable';
}

describe('S13 the fee of a withdrawal', () => {
  it('the withdrawal’s fee must cover its simulated cost on the lane, not the estimated cost', async () => {
    const { world, calldata } = withFee(30n);
    world.simulator.use(FOURFOLD);
    await expect(world.submit(calldata)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { offered: '30', required: '81' },
    });
    expect(world.submissions.accepted).toEqual([]);
    expect(world.simulator.simulated).toMatchObject([
      { entrypoint: 'withdraw', as: policy.triedAs },
    ]);
  });

  it('accepts the minimum fee that an earlier rejection returned', async () => {
    const { world, calldata } = withFee(81n);
    world.simulator.use(FOURFOLD);
    await world.submit(calldata);
    const { totalFri } = cycleCost(CYCLE_GAS, GAS_PRICES, FOURFOLD);
    expect(world.submissions.accepted).toMatchObject([
      { terms: { feeAmount: 81n, costFri: totalFri } },
    ]);
  });

  it('the fee may be below the estimate if the simulated withdrawal costs less', async () => {
    const { world, calldata } = withFee(11n);
    world.simulator.use({ ...ESTIMATED, l2Gas: ESTIMATED.l2Gas / 2n });
    await world.submit(calldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('the fee is checked against the estimate while the node accepts no transaction of the lane', async () => {
    const { world, calldata } = withFee(30n);
    const { simulator } = world;
    const simulate = simulator.simulate.bind(simulator);
    simulator.simulate = (call, as) =>
      as === undefined ? simulate(call) : Promise.reject(new NonceHasMoved('refused'));
    await world.submit(calldata);
    expect(world.submissions.accepted).toHaveLength(1);
    expect(simulator.simulated).toEqual([expect.not.objectContaining({ as: expect.anything() })]);
  });

  it.each([
    ['is no account’s', undefined, new NonceHasMoved('refused')],
    ['fails for want of time', policy.triedAs, new Busy('later')],
  ])(
    'the withdrawal is not simulated a second time if the simulation %s',
    async (_why, triedAs, failure) => {
      const { ports, simulator } = aWorld();
      let simulations = 0;
      simulator.simulate = async () => {
        simulations += 1;
        throw failure;
      };
      const { triedAs: _lane, ...others } = policy;
      const as = triedAs === undefined ? {} : { triedAs };
      const admission = new WithdrawalAdmission(ports, { ...others, ...as });
      expect(await admission.examine(admission.read(pool.address, goodCalldata))).toMatchObject({
        simulation: { known: false, failure },
      });
      expect(simulations).toBe(1);
    },
  );

  it('the fee of a withdrawal must cover all three kinds of gas', async () => {
    const { world, calldata } = withFee(500n);
    const used = { ...ESTIMATED, l1Gas: 100n, l1DataGas: 20_000n };
    world.simulator.use(used);
    await world.submit(calldata);
    expect(world.submissions.accepted).toMatchObject([
      { terms: { costFri: cycleCost(CYCLE_GAS, GAS_PRICES, used).totalFri } },
    ]);
  });

  it('reports a withdrawal as unprofitable, and not its fee as too low, if the cost exceeds the pool’s maximum fee', async () => {
    const { world, calldata } = withFee(60n);
    world.pools.set(pool.address, { ...poolState, maxFee: 80n });
    world.simulator.use(FOURFOLD);
    await expect(world.submit(calldata)).rejects.toMatchObject({ code: 'WITHDRAWAL_UNPROFITABLE' });
  });

  it('the fee is checked against the estimate if the simulation fails', async () => {
    const { world, calldata } = withFee(20n);
    world.simulator.fail();
    await expect(world.submit(calldata)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { required: '21' },
    });
  });

  it('the estimated fee is sufficient if neither the prices nor the gas have increased', async () => {
    const gasPrices = fc.record({
      l2GasFri: positive(10n ** 11n),
      l1GasFri: positive(10n ** 14n),
      l1DataGasFri: positive(10n ** 9n),
    });
    const gas = fc.record({
      l2Gas: fc.bigInt({ min: 1n, max: ESTIMATED.l2Gas }),
      l1Gas: fc.constant(0n),
      l1DataGas: fc.bigInt({ min: 0n, max: ESTIMATED.l1DataGas }),
    });
    await fc.assert(
      fc.asyncProperty(gasPrices, gas, positive(10n ** 6n), async (prices, used, maxFee) => {
        const world = aWorld();
        world.latestBlock.setGasPrices(prices);
        world.simulator.use(used);
        world.pools.set(pool.address, { ...poolState, maxFee });
        const market = { ...(await world.ports.marketPrices.forFeesIn('WBTC')), btcUsdE8: 1n };
        const terms = {
          feeToken: pool.token,
          gasPrices: prices,
          prices: market,
          cycleGas: CYCLE_GAS,
          marginPercent: FEE_MARGIN_PERCENT,
        };
        const estimate = estimateFee({ ...terms, pool: { maxFee, denomination: 20n * maxFee } });
        fc.pre(estimate.costAmount <= maxFee);
        const { calldata } = withFee(estimate.feeAmount, world);
        await world.submit(calldata);
        const [accepted] = world.submissions.accepted;
        expect(friToFeeToken(accepted?.terms?.costFri ?? 0n, market, 8)).toBeLessThanOrEqual(
          estimate.costAmount,
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('S15 a fee that was quoted before the gas rose', () => {
  it('honours the fee of a quote until the quote expires, and then requires the current fee', async () => {
    const { world, calldata } = withFee(15n);
    world.quoteStore.put(quote);
    world.simulator.use(NEARLY_TWICE);
    const cited = { poolAddress: pool.address, calldata, quoteId: quote.id, waitMs: 0 };
    await world.subject.execute(cited);
    expect(world.submissions.accepted).toHaveLength(1);

    const late = withFee(15n);
    late.world.quoteStore.put(quote);
    late.world.simulator.use(FOURFOLD);
    late.world.clock.pass(120_000);
    await expect(late.world.subject.execute(cited)).rejects.toMatchObject({
      code: 'QUOTE_EXPIRED',
    });
    await expect(late.world.submit(calldata)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { required: '81' },
    });
    expect(late.world.submissions.accepted).toEqual([]);
  });

  it('T7: honours a quoted fee while the gas is at most twice the gas that the quote assumed', async () => {
    const { world, calldata } = withFee(15n);
    world.quoteStore.put(quote);
    world.simulator.use(FOURFOLD);
    const cited = { poolAddress: pool.address, calldata, quoteId: quote.id, waitMs: 0 };
    await expect(world.subject.execute(cited)).rejects.toMatchObject({
      code: 'COST_EXCEEDS_QUOTE',
      kind: 'unprocessable',
      details: {
        cost: String(cycleCost(CYCLE_GAS, GAS_PRICES, FOURFOLD).totalFri),
        assumed: String(cycleCost(CYCLE_GAS, GAS_PRICES).totalFri),
      },
    });
    expect(world.submissions.accepted).toEqual([]);
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
    world.simulator.use(NEARLY_TWICE);
    await world.subject.execute(cited);
    expect(world.quoteStore.isUsed(quote.id)).toBe(true);
  });
});
