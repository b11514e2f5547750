import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { GasPrices } from '@sotto/submission-core';
import { cycleCost, recommendedFee } from '../../src/fees/domain/fee.js';
import { friToFeeToken, type FeeTokenPrices } from '@sotto/market-core';
import { CYCLE_GAS, FEE_MARGIN_PERCENT } from '../../src/testing/index.js';

const amount = (min: bigint, max: bigint) => fc.bigInt({ min, max });
const gasPrices = fc.record({
  l2GasFri: amount(1n, 10n ** 15n),
  l1GasFri: amount(1n, 10n ** 18n),
  l1DataGasFri: amount(0n, 10n ** 15n),
});
const market = fc.record({
  strkUsdE8: amount(1n, 10n ** 12n),
  feeTokenUsdE8: amount(1n, 10n ** 14n),
});
const decimals = fc.constantFrom(6, 8, 18);
const maxFee = fc.option(amount(0n, 10n ** 9n), { nil: undefined });

function costOf(gas: GasPrices, prices: FeeTokenPrices, tokenDecimals: number): bigint {
  return friToFeeToken(cycleCost(CYCLE_GAS, gas).totalFri, prices, tokenDecimals);
}

const fifthMore = (price: bigint): bigint => (price * 120n) / 100n;

describe('the fee', () => {
  it('the costs of deposits, batches and withdrawals follow the protocol’s formula', () => {
    const gas = { l2GasFri: 8_000_000_000n, l1GasFri: 1n, l1DataGasFri: 30_000_000n };
    expect(cycleCost(CYCLE_GAS, gas)).toEqual({
      depositFri: 6_400_150_000_000_000n,
      deployBatchFri: 3_200_150_000_000_000n,
      withdrawFri: 280_000_150_000_000_000n,
      totalFri: 289_600_450_000_000_000n,
    });
    const cost = costOf(gas, { strkUsdE8: 4_300_000n, feeTokenUsdE8: 6_000_000_000_000n }, 8);
    const fees = [undefined, 24n].map((cap) => recommendedFee(cost, FEE_MARGIN_PERCENT, cap));
    expect([cost, ...fees]).toEqual([21n, 26n, 24n]);
    expect([0n, 50n, 100n].map((margin) => recommendedFee(cost, margin))).toEqual([21n, 32n, 42n]);
  });

  it('divides the gas cost of a batch among its deposits, and rounds each part up', () => {
    const gas = { ...CYCLE_GAS, deployBatchL2Gas: 10n, depositsPerBatch: 3n, l1DataGasPerStep: 0n };
    expect(cycleCost(gas, { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n }).deployBatchFri).toBe(
      4n,
    );
  });

  it('converts a cost to the smallest amount of the fee token that is worth the gas', () => {
    fc.assert(
      fc.property(amount(0n, 10n ** 24n), market, decimals, (fri, prices, tokenDecimals) => {
        const tokens = friToFeeToken(fri, prices, tokenDecimals);
        const worth = (count: bigint): bigint => count * prices.feeTokenUsdE8 * 10n ** 18n;
        const spent = fri * prices.strkUsdE8 * 10n ** BigInt(tokenDecimals);
        expect(worth(tokens) >= spent).toBe(true);
        expect(tokens === 0n || worth(tokens - 1n) < spent).toBe(true);
      }),
    );
  });

  it('the recommended fee is at least the cost and at least 1, but never above the pool’s maximum', () => {
    fc.assert(
      fc.property(gasPrices, market, decimals, maxFee, (gas, prices, tokenDecimals, cap) => {
        const cost = costOf(gas, prices, tokenDecimals);
        const fee = recommendedFee(cost, FEE_MARGIN_PERCENT, cap);
        expect(cap === undefined || fee <= cap).toBe(true);
        expect(fee === cap || (fee >= cost && fee >= 1n)).toBe(true);
      }),
    );
  });

  it('the fee does not fall if gas or STRK becomes more expensive', () => {
    const rise = amount(0n, 10n ** 12n);
    fc.assert(
      fc.property(
        gasPrices,
        market,
        decimals,
        maxFee,
        rise,
        (gas, prices, tokenDecimals, cap, by) => {
          const feeAt = (g: GasPrices, p: FeeTokenPrices): bigint =>
            recommendedFee(costOf(g, p, tokenDecimals), FEE_MARGIN_PERCENT, cap);
          const fee = feeAt(gas, prices);
          expect(feeAt({ ...gas, l2GasFri: gas.l2GasFri + by }, prices) >= fee).toBe(true);
          expect(feeAt({ ...gas, l1DataGasFri: gas.l1DataGasFri + by }, prices) >= fee).toBe(true);
          expect(feeAt(gas, { ...prices, strkUsdE8: prices.strkUsdE8 + by }) >= fee).toBe(true);
          expect(feeAt(gas, { ...prices, feeTokenUsdE8: prices.feeTokenUsdE8 + by }) <= fee).toBe(
            true,
          );
        },
      ),
    );
  });

  it('the fee still covers the cost if prices rise by at most the fee’s margin', () => {
    fc.assert(
      fc.property(gasPrices, market, decimals, (gas, prices, tokenDecimals) => {
        const dearer = {
          ...gas,
          l2GasFri: fifthMore(gas.l2GasFri),
          l1DataGasFri: fifthMore(gas.l1DataGasFri),
        };
        expect(
          recommendedFee(costOf(gas, prices, tokenDecimals), FEE_MARGIN_PERCENT) >=
            costOf(dearer, prices, tokenDecimals),
        ).toBe(true);
      }),
    );
  });
});
