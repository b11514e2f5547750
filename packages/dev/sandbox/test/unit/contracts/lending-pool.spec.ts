import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  lendingPool,
  setLendingInterest,
  setLendingMarket,
  type LendingChanges,
} from '../../../src/contracts/lending-pool.js';
import { TestChain, fromU256, u256 } from './harness.js';

const POOL = 0x9001n;
const ASSET = 0xa55e7n;
const E18 = 10n ** 18n;
/** Timestamp of the test chain's block, in Unix seconds. */
const NOW = 1_800_000_000n;
const DAY = 86_400n;

const CURVE = {
  minTargetUtilization: 78_000n,
  targetUtilization: 80_000n,
  maxTargetUtilization: 82_000n,
  zeroUtilizationRate: 0n,
  minFullUtilizationRate: 10_000_000_000n,
  maxFullUtilizationRate: 40_000_000_000n,
  halfLifeSeconds: 432_000n,
  targetRateE18: E18 / 5n,
};

const TERMS = { priceOracle: 0n, collateralAsset: ASSET, debtAsset: 0n, maxLtvE18: E18 / 2n };

const percent = (value: bigint): bigint => (value * E18) / 100n;

describe('lending pool model', () => {
  let chain: TestChain;
  const storage = () => ({
    get: (key: string): bigint => chain.storageOf(POOL).get(key) ?? 0n,
    set: (key: string, value: bigint): void => void chain.storageOf(POOL).set(key, value),
  });
  const set = (changes: LendingChanges): void => setLendingMarket(storage(), ASSET, changes);
  const query = (entrypoint: string, ...calldata: bigint[]): bigint[] =>
    chain.call(0n, POOL, entrypoint, calldata);
  const rate = (utilization: bigint, lastUpdated = NOW, fullRate = 20_000_000_000n): bigint =>
    fromU256(query('interest_rate', ASSET, ...u256(utilization), lastUpdated, ...u256(fullRate)));

  beforeEach(() => {
    chain = new TestChain();
    chain.deploy(POOL, lendingPool(CURVE, TERMS));
    set({
      reserve: 6_000_000_000n,
      nominalDebtE18: 32n * E18,
      rateAccumulatorE18: (125n * E18) / 100n,
      fullUtilizationRateE18: 20_000_000_000n,
      scale: 10n ** 8n,
    });
  });

  it('`asset_config` of the lending pool returns 22 felts with the state at the current block', () => {
    const felts = query('asset_config', ASSET);
    expect(felts).toHaveLength(22);
    // 100 BTC are supplied, and the number of shares equals the supply.
    expect(felts.slice(0, 6)).toEqual([
      ...u256(100n * E18),
      ...u256(32n * E18),
      ...u256(6_000_000_000n),
    ]);
    expect(felts.slice(10, 12)).toEqual(u256(10n ** 8n));
    expect(felts[13]).toBe(NOW);
    expect(felts.slice(14, 18)).toEqual([...u256((125n * E18) / 100n), ...u256(20_000_000_000n)]);
  });

  it('the debt of a lending pool grows every second at the configured rate, and `interest_rate` returns this rate', () => {
    const rateE18 = E18 / (10n * DAY);
    setLendingInterest(storage(), ASSET, rateE18, NOW - DAY);
    const accumulator = (): bigint => fromU256(query('asset_config', ASSET).slice(14));
    // The debt grows by 10 % of its initial value per day.
    expect(accumulator() / 10n ** 9n).toBe(125n * 11n * 10n ** 6n - 1n);
    expect(fromU256(query('utilization', ASSET)) / 10n ** 12n).toBe((44n * 10n ** 6n) / 104n);
    expect(rate(percent(40n))).toBe(rateE18);
    chain.block = { ...chain.block, timestampSeconds: Number(NOW + DAY) };
    const after = accumulator();
    expect(after / 10n ** 9n).toBe(125n * 12n * 10n ** 6n - 1n);
    setLendingInterest(storage(), ASSET, 0n, NOW + DAY);
    chain.block = { ...chain.block, timestampSeconds: Number(NOW + 9n * DAY) };
    expect(accumulator()).toBe(after);
    expect(rate(percent(40n), NOW + 9n * DAY)).toBe(2_000_000_000n);
  });

  it('the lending pool’s views return zeros for an unknown asset', () => {
    expect(query('asset_config', 0xbadn)).toEqual(Array.from({ length: 22 }, () => 0n));
    expect(fromU256(query('utilization', 0xbadn))).toBe(0n);
    expect(fromU256(query('interest_rate', 0xbadn, 0n, 0n, NOW, 0n, 0n))).toBe(0n);
  });

  it('the utilization of a lending pool includes the accrued interest of its debt', () => {
    expect(fromU256(query('utilization', ASSET))).toBe(percent(40n));
    set({ nominalDebtE18: 0n });
    expect(fromU256(query('utilization', ASSET))).toBe(0n);
    set({ reserve: 0n });
    expect(fromU256(query('utilization', ASSET))).toBe(0n);
    set({ nominalDebtE18: E18 });
    expect(fromU256(query('utilization', ASSET))).toBe(E18);
  });

  it.each([
    [0n, 0n],
    [40n, 2_000_000_000n],
    [80n, 4_000_000_000n],
    [90n, 12_000_000_000n],
    [100n, 20_000_000_000n],
  ])(
    'a lending pool with a utilization of %p %% has an interest rate of %p per second',
    (used, expected) => {
      expect(rate(percent(used))).toBe(expected);
    },
  );

  it('the full-utilization rate rises while utilization is above the target range', () => {
    // Full utilization for a fifth of the half-life raises the rate to 20e-9 · 1.2. Zero
    // utilization for a fifth of the half-life reduces the rate to 20e-9 / 1.2.
    expect(rate(E18, NOW - DAY)).toBe(24_000_000_000n);
    expect(rate(percent(39n), NOW - 2n * DAY)).toBe(
      (((20_000_000_000n * 10n) / 12n / 5n) * 39n) / 80n,
    );
    expect(rate(percent(80n), NOW - DAY)).toBe(4_000_000_000n);
    expect(rate(E18, NOW - 1_000n * DAY)).toBe(40_000_000_000n);
    expect(rate(percent(40n), NOW - 1_000n * DAY)).toBe(1_000_000_000n);
  });

  it.each([
    ['asset_config', [], 'Failed to deserialize param #1'],
    ['utilization', [ASSET, 1n], 'Input too long for arguments'],
    ['interest_rate', [ASSET, 0n, 0n, 2n ** 64n, 0n, 0n], 'Failed to deserialize param #3'],
    ['interest_rate', [ASSET, 0n, 0n, NOW + 1n, 0n, 0n], 'u64_sub Overflow'],
  ])('the lending pool’s %s with calldata %p reverts with "%s"', (entrypoint, calldata, text) => {
    expect(() => query(entrypoint, ...calldata)).toThrow(text);
  });
});
