import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { CYCLE_GAS, FEE_MARGIN_PERCENT } from '../../src/testing/index.js';
import { estimateFee } from '../../src/fees/domain/fee-estimate.js';
import {
  feeEstimateReply,
  strkNumber,
  usdNumber,
  usdNumberOfFri,
  wholeNumber,
} from '../../src/fees/domain/fee-estimate-reply.js';
import { pool as served } from '../support/world.js';

const amount = (max: bigint) => fc.bigInt({ min: 0n, max });

/** Returns the exact value of a double, as a fraction whose denominator is a power of two. */
function exactly(value: number): { readonly numerator: bigint; readonly denominator: bigint } {
  let [scaled, denominator] = [value, 1n];
  while (!Number.isInteger(scaled)) [scaled, denominator] = [scaled * 2, denominator * 2n];
  return { numerator: BigInt(scaled), denominator };
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/**
 * True if `number` is the double nearest to value / 10^decimals. The error is then below half the
 * distance of two doubles, which is 2^-52 of their size.
 */
function isNearest(number: number, value: bigint, decimals: number): boolean {
  const { numerator, denominator } = exactly(number);
  const error = abs(numerator * 10n ** BigInt(decimals) - value * denominator);
  return error * 2n ** 53n <= value * denominator;
}

describe('the numbers of a fee estimate', () => {
  it('the numbers of a fee estimate are the doubles nearest to the exact values', () => {
    fc.assert(
      fc.property(amount(10n ** 24n), amount(10n ** 14n), (fri, usdE8) => {
        expect(isNearest(strkNumber(fri), fri, 18)).toBe(true);
        expect(isNearest(usdNumber(usdE8), usdE8, 8)).toBe(true);
        expect(isNearest(usdNumberOfFri(fri, usdE8), fri * usdE8, 26)).toBe(true);
      }),
    );
  });

  it('a price below ten million dollars is returned with all its eight decimals', () => {
    fc.assert(
      fc.property(amount(10n ** 15n - 1n), (usdE8) => {
        expect(BigInt(usdNumber(usdE8).toFixed(8).replace('.', ''))).toBe(usdE8);
      }),
    );
  });

  it('amounts in a fee estimate become exact integers or are rejected', () => {
    fc.assert(
      fc.property(amount(2n ** 53n - 1n), (value) =>
        expect(BigInt(wholeNumber(value))).toBe(value),
      ),
    );
    for (const value of [2n ** 53n, 2n ** 256n - 1n, -1n])
      expect(() => wholeNumber(value)).toThrow(RangeError);
  });

  it('a fee is below the cost only if the fee equals the pool’s maximum fee', () => {
    const price = fc.bigInt({ min: 1n, max: 10n ** 13n });
    // The fee is paid in WBTC, so its token has the price of BTC.
    const prices = fc
      .tuple(price, price)
      .map(([strkUsdE8, btcUsdE8]) => ({ strkUsdE8, btcUsdE8, feeTokenUsdE8: btcUsdE8 }));
    const gas = fc.record({
      l2GasFri: amount(10n ** 12n),
      l1GasFri: amount(1n),
      l1DataGasFri: amount(10n ** 12n),
    });
    fc.assert(
      fc.property(gas, prices, fc.option(amount(10n ** 9n)), (gasPrices, market, maxFee) => {
        const pool = maxFee === null ? null : { maxFee, denomination: 20n * maxFee };
        const estimate = estimateFee({
          feeToken: served.token,
          gasPrices,
          prices: market,
          pool,
          cycleGas: CYCLE_GAS,
          marginPercent: FEE_MARGIN_PERCENT,
        });
        const { feeAmount, costAmount, cost } = estimate;
        expect(cost.depositFri + cost.deployBatchFri + cost.withdrawFri).toBe(cost.totalFri);
        expect(maxFee === null || feeAmount <= maxFee).toBe(true);
        expect(feeAmount === maxFee || feeAmount * 100n >= costAmount * 120n).toBe(true);
        fc.pre(feeAmount < 2n ** 53n);
        const reply = feeEstimateReply(estimate);
        expect(BigInt(reply.feeSats)).toBe(feeAmount);
        expect('maxFeeSats' in reply).toBe(maxFee !== null);
        expect('denomination' in reply).toBe(maxFee !== null);
      }),
    );
  });
});
