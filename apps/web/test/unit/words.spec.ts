import { describe, expect, it } from '@jest/globals';
import type { Pool, PoolStatus, Reading, SignedStatus } from '../../src/service.js';
import {
  chainName,
  changesSince,
  crowdWords,
  duration,
  either,
  inTokens,
  inUsd,
  inclusionWords,
  percentOf,
  poolName,
  poolState,
  serviceState,
  signatureWords,
  smallAmount,
  usd,
} from '../../src/words.js';

const asOf = 1_760_000_000;
const failure = { message: 'the node can not be reached', code: 'NODE_UNAVAILABLE' };

const pool: Pool = {
  key: 'sentinel_1x',
  address: '0x1',
  kind: 'withdraw',
  token: { symbol: 'WBTC', address: '0x2', decimals: 8 },
  batchSizes: [3, 5, 7],
  denomination: '20000',
  denominationAmount: '20000',
  undeployedCount: 1,
  leavesLeft: 100,
  depositRation: { perHour: 24, left: 20, perNetwork: 6 },
  deposits: { accepting: true, nextAt: null, left: 20 },
  maxFeeBps: 500,
  maxFee: '1000',
  fee: '166',
  accepting: true,
  pausedFor: null,
  reason: null,
  block: 1,
  at: 1,
};

/**
 * Returns a signed status. Each element states if a pool accepts withdrawals, or is null if
 * unknown.
 */
function signed(accepting: readonly (boolean | null)[], capacity = true): SignedStatus {
  return {
    signer: '0x3',
    signature: ['0x4', '0x5'],
    status: {
      version: 1,
      chainId: '0x534e5f4d41494e',
      relayer: '0x6',
      issuedAt: asOf,
      build: { version: '0.1.0', commit: 'unknown' },
      pools: accepting.map((value, index) => ({
        key: `pool_${index}`,
        address: `0x${index}`,
        token: 'WBTC',
        fee: { value: '166', asOf },
        accepting: { value, asOf },
        pausedFor: null,
        reason: null,
      })),
      capacity: { value: capacity, asOf },
      success: { percent: 95, windowSeconds: 86_400, asOf },
      inclusion: { p50Seconds: 10, p95Seconds: 25, windowSeconds: 86_400, asOf },
    },
  };
}

const circuit = {
  id: 'withdraw-10' as const,
  publicInputs: ['root', 'nullifierHash', 'recipient', 'relayer', 'fee'],
  verificationKey: '0'.repeat(64),
};

const crowd = (activeDeposits: number): PoolStatus => ({
  denomination: '20000',
  undeployedCount: 1,
  activeDeposits,
  totalDeposits: 17,
  totalAssets: '1',
  maxFeeBps: 500,
  maxFee: '1000',
  nextIndex: 17,
  crowd: null,
  deposits: null,
  block: 1,
  at: 1,
});

function reading(changes: Partial<Reading> = {}): Reading {
  return {
    status: { value: signed([true]) },
    pools: {
      value: {
        chainId: '0x1',
        relayer: '0x6',
        circuit,
        pools: [pool],
        swapOutputs: null,
        privacyPools: [],
        privateSwap: null,
      },
    },
    crowds: new Map([[pool.address, { value: crowd(6) }]]),
    fees: { failure },
    at: new Date(0),
    ...changes,
  };
}

describe('texts of numbers', () => {
  it.each([
    ['20000', 8, '0.0002'],
    ['100000000', 8, '1'],
    ['0', 8, '0'],
    ['123456789', 8, '1.23456789'],
    ['5', 0, '5'],
    ['13902', 6, '0.013902'],
  ])(
    'formats an amount in whole units of the ERC-20 token: %s with %d decimals',
    (amount, decimals, text) => {
      expect(inTokens(amount, decimals)).toBe(text);
    },
  );

  it('formats a small amount of a bitcoin token with eight decimals in sats', () => {
    expect(smallAmount('1', pool.token)).toBe('1 sat');
    expect(smallAmount('15', pool.token)).toBe('15 sats');
    expect(smallAmount('13902', { symbol: 'USDC', decimals: 6 })).toBe('0.013902 USDC');
  });

  it.each([
    ['166', '20000', '0.83 %'],
    ['1', '3', '33.33 %'],
    ['1', '100000000', 'less than 0.01 %'],
    ['1', '0', null],
  ])('formats a share in percent: %s of %s', (part, whole, text) => {
    expect(percentOf(part, whole)).toBe(text);
  });

  it.each([
    [0, 'less than a second'],
    [1, '1 second'],
    [90, '1 minute 30 seconds'],
    [3_600, '1 hour'],
    [86_400 * 2 + 3_700, '2 days 1 hour'],
  ])('formats a duration: %d s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it('formats alternatives as a list that ends with “or”', () => {
    expect([either([]), either([3]), either([3, 5]), either([3, 5, 7])]).toEqual([
      'none',
      '3',
      '3 or 5',
      '3, 5 or 7',
    ]);
  });

  it('formats a chain’s id as its encoded name, or as the id', () => {
    expect([chainName('0x534e5f4d41494e'), chainName('0x1')]).toEqual(['SN_MAIN', '0x1']);
  });

  it('the status page omits the time until inclusion if there were too few withdrawals', () => {
    expect(inclusionWords({ p50Seconds: 10, p95Seconds: 25 })).toBe(
      'half within 10 seconds, 95 of 100 within 25 seconds',
    );
    expect(inclusionWords({ p50Seconds: null, p95Seconds: 25 })).toBeNull();
  });
});

describe('the anonymity set of a withdrawal', () => {
  it.each([
    [3, '3 deposits or more'],
    [1, '1 deposit or more'],
    [null, 'not known'],
  ])(
    'the displayed anonymity set is the smallest batch (%p), regardless of the number of active deposits',
    (least, text) => {
      const batches = { oldestWaitingSeconds: null, lastBatchSize: 7, smallestBatchSize: least };
      expect(crowdWords({ ...crowd(600), crowd: batches })).toBe(text);
    },
  );

  it('the text about the anonymity set states that no batch exists or that events can’t be read', () => {
    expect([crowdWords(crowd(0)), crowdWords(crowd(6))]).toEqual(['no batch yet', 'not known']);
  });
});

describe('the state of a pool', () => {
  it.each([
    [{}, 'good', 'accepts withdrawals'],
    [{ accepting: false }, 'bad', 'takes no withdrawals'],
    [{ accepting: null }, 'care', 'not known now'],
    [{ denominationAmount: null }, 'care', 'not known now'],
    [
      { accepting: false, pausedFor: 'operator', reason: 'an upgrade' } as const,
      'bad',
      'paused by the operator (an upgrade)',
    ],
  ])('a pool with %j is displayed with the state: %s', (changes, tone, text) => {
    expect(poolState({ ...pool, ...changes }, { value: crowd(6) })).toEqual({ tone, text });
  });

  it('a pool is displayed as unknown while the pool can’t be read', () => {
    for (const unread of [undefined, { failure }])
      expect(poolState(pool, unread)).toEqual({ tone: 'care', text: 'not known now' });
  });
});

const stateOf = (accepting: readonly (boolean | null)[], capacity?: boolean) =>
  serviceState(reading({ status: { value: signed(accepting, capacity) } }));

describe('the state of the service', () => {
  it('the displayed state of the service depends on the state of its pools', () => {
    expect(stateOf([true, true])).toEqual({
      tone: 'good',
      text: 'The service accepts withdrawals from every pool.',
    });
    expect(stateOf([true, false]).text).toBe('The service accepts withdrawals from 1 of 2 pools.');
    expect(stateOf([false, null]).tone).toBe('bad');
    expect(stateOf([null, null]).tone).toBe('care');
  });

  it('the displayed state of the service is bad if no lane can pay', () => {
    expect(stateOf([true], false).tone).toBe('bad');
    expect(serviceState(reading({ status: { failure } })).tone).toBe('bad');
  });

  it('the displayed state of the service is not good while the chain can’t be read', () => {
    const pools = [{ ...pool, denominationAmount: null }];
    const list = {
      chainId: '0x1',
      relayer: '0x6',
      circuit,
      pools,
      swapOutputs: null,
      privacyPools: [],
      privateSwap: null,
    };
    expect(serviceState(reading({ pools: { value: list } })).tone).toBe('care');
    const other = { ...pool, address: '0x9' };
    expect(serviceState(reading({ pools: { value: { ...list, pools: [pool, other] } } }))).toEqual({
      tone: 'care',
      text: 'It can’t read 1 pool now: see below.',
    });
    // The service caches the list of pools for longer than its data about each pool. While the node
    // is unavailable, only the data about each pool is missing.
    const crowds = new Map([[pool.address, { failure }]]);
    expect(serviceState(reading({ crowds })).tone).toBe('care');
  });
});

describe('the announcement of a new reading', () => {
  it('the screen reader announcement is empty if a new read contains no changes', () => {
    expect(changesSince(reading(), reading({ at: new Date(1) }))).toEqual([]);
  });

  it('the screen reader announcement after a new read contains changed anonymity sets and the service’s state', () => {
    const later = reading({
      status: { value: signed([false]) },
      crowds: new Map([[pool.address, { value: crowd(7) }]]),
    });
    expect(changesSince(reading(), later)).toEqual([
      'The service accepts no withdrawals now: see why below.',
      '0.0002 WBTC: 7 active deposits, 1 waiting.',
    ]);
  });

  it('the screen reader announcement reports only once that the pools can’t be read', () => {
    const blind = reading({ pools: { failure } });
    expect(changesSince(reading(), blind)).toEqual(['The pools can’t be read now.']);
    expect(changesSince(blind, blind)).toEqual([]);
  });
});

describe('amounts in US dollars', () => {
  const prices = { strkUsd: 0.5, btcUsd: 100_000 };

  it.each([
    ['15', { symbol: 'WBTC', address: '0x2', decimals: 8 }, '$0.015'],
    ['13900', { symbol: 'USDC', address: '0x2', decimals: 6 }, '$0.0139'],
    ['3000000000000000000', { symbol: 'STRK', address: '0x2', decimals: 18 }, '$1.50'],
    ['1', { symbol: 'PEPE', address: '0x2', decimals: 18 }, null],
  ])('inUsd converts %s of a token', (amount, token, expected) => {
    expect(inUsd(amount, token, prices)).toBe(expected);
  });

  it.each([
    [0.015, '$0.015'],
    [1234.5, '$1,234.50'],
  ])('usd formats %f', (amount, expected) => {
    expect(usd(amount)).toBe(expected);
  });
});

describe('poolName', () => {
  const swaps: Pool = { ...pool, key: 'swap_input_1', kind: 'swap_input' };

  it('names a pool by the size of its deposits and by its purpose', () => {
    expect([pool, swaps].map((one) => poolName(one, [pool, swaps]))).toEqual([
      '0.0002 WBTC',
      '0.0002 WBTC for swaps',
    ]);
  });

  it('adds the key if two pools have the same name, or if the size is unknown', () => {
    const twin: Pool = { ...pool, key: 'sentinel_1y', address: '0x9' };
    expect(poolName(pool, [pool, twin])).toBe('0.0002 WBTC (sentinel_1x)');
    expect(poolName({ ...pool, denominationAmount: null }, [pool])).toBe('WBTC (sentinel_1x)');
  });
});

describe('signatureWords', () => {
  it.each([
    [null, 'good', /owner of this key has signed/],
    [{ code: 'SIGNATURE_FORGED' }, 'bad', /Do not trust it/],
    [{ code: 'STATUS_OUTDATED' }, 'bad', /too old/],
    [{ code: 'SIGNER_KEY_MALFORMED' }, 'bad', /not a public key/],
    [new Error('no crypto'), 'bad', /can’t be checked/],
  ])('describes the result of the check: %p', (error, tone, text) => {
    expect(signatureWords(error)).toEqual({ tone, text: expect.stringMatching(text) });
  });
});
