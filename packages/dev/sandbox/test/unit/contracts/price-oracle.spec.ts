import { beforeEach, describe, expect, it } from '@jest/globals';
import { priceOracle, setOraclePrice } from '../../../src/contracts/price-oracle.js';
import { recordStorage } from '../../../src/contracts/storage.js';
import { TestChain } from './harness.js';

const ORACLE = 0x0acn;
/** Ids of two pairs, from the oracle's documentation. */
const BTC_USD = 18669995996566340n;
const STRK_USD = 6004514686061859652n;
const NOTHING = [0n, 0n, 0n, 0n, 0n, 0n];

describe('price oracle model', () => {
  let chain: TestChain;
  const median = (...dataType: bigint[]): bigint[] =>
    chain.call(0n, ORACLE, 'get_data_median', dataType);

  beforeEach(() => {
    const record: Record<string, bigint> = {};
    const storage = recordStorage(record);
    setOraclePrice(storage, 'BTC/USD', {
      price: 9_700_000_000_000n,
      decimals: 8,
      lastUpdatedTimestampSeconds: 'live',
      numSources: 9,
    });
    setOraclePrice(storage, 'STRK/USD', {
      price: 4_200_000n,
      decimals: 8,
      lastUpdatedTimestampSeconds: 1_700_000_000,
      numSources: 5,
    });
    chain = new TestChain();
    chain.deploy(ORACLE, priceOracle, record);
  });

  it('the price oracle returns price, decimals, time, number of sources and an expiration of Some(0)', () => {
    expect(median(0n, STRK_USD)).toEqual([4_200_000n, 8n, 1_700_000_000n, 5n, 0n, 0n]);
  });

  it('the oracle returns the time of the current block for a price without a fixed time', () => {
    expect(median(0n, BTC_USD)[2]).toBe(1_800_000_000n);
    chain.block = { number: 2, timestampSeconds: 1_800_000_777 };
    expect(median(0n, BTC_USD)[2]).toBe(1_800_000_777n);
  });

  it('the oracle returns a price with a fixed time if a test has set this time', () => {
    const storage = chain.storageOf(ORACLE);
    const access = {
      get: (key: string): bigint => storage.get(key) ?? 0n,
      set: (key: string, value: bigint): void => void storage.set(key, value),
    };
    setOraclePrice(access, 'BTC/USD', {
      price: 1n,
      decimals: 0,
      lastUpdatedTimestampSeconds: 5,
      numSources: 1,
    });
    expect(median(0n, BTC_USD)).toEqual([1n, 0n, 5n, 1n, 0n, 0n]);
  });

  it('the price oracle returns zeros for unknown pairs and entry kinds, and does not revert', () => {
    expect(median(0n, 0x1234n)).toEqual(NOTHING);
    expect(median(1n, BTC_USD, 0n)).toEqual(NOTHING);
    expect(median(2n, BTC_USD)).toEqual(NOTHING);
  });

  it('the price oracle returns the same price for every aggregation mode', () => {
    for (const mode of [0n, 1n, 2n, 3n]) {
      expect(chain.call(0n, ORACLE, 'get_data', [0n, STRK_USD, mode])).toEqual(
        median(0n, STRK_USD),
      );
    }
  });

  it.each([
    ['get_data_median', [3n, BTC_USD], 'Failed to deserialize param #1'],
    ['get_data_median', [0n, BTC_USD, 0n], 'Input too long for arguments'],
    ['get_data', [0n, BTC_USD, 4n], 'Failed to deserialize param #2'],
  ])('the price oracle’s %s with calldata %p reverts with "%s"', (entrypoint, calldata, text) => {
    expect(() => chain.call(0n, ORACLE, entrypoint, calldata)).toThrow(text);
  });
});
