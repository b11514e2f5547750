import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LedgerUnavailable, type ChainHead, type EngineStatus } from '@sotto/submission-core';
import { DescribeOperations } from '../../src/operations/describe-operations.js';
import { canRelay } from '../../src/operations/lane-states.js';
import { guardedPool, operations } from '../integration/operator-fixture.js';

const LANE = toFelt('0x7a1e5f');
const status: EngineStatus = { lanes: [{ address: LANE, role: 'relay', state: 'ready' }], lastLookMs: 5, stuck: operations.stuck };
const head: ChainHead = {
  blockNumber: 1,
  gasPrices: { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n },
  accounts: new Map([[LANE, { nonce: 7n, balanceFri: 9n }]]),
};
const over = (read: () => Promise<ChainHead>) =>
  new DescribeOperations(
    { status: () => status },
    { head: read },
    { list: async () => [guardedPool] },
    { counts: () => operations.load.admissions },
    { counts: () => operations.load.requests },
  );

describe('DescribeOperations', () => {
  it('puts balance and nonce of each lane beside what the engine knows of it', async () => {
    expect(await over(async () => head).execute()).toEqual({
      lanes: [{ address: LANE, role: 'relay', state: 'ready', account: { nonce: 7n, balanceFri: 9n } }],
      lastLookMs: 5,
      stuck: operations.stuck,
      pools: [guardedPool],
      load: operations.load,
    });
  });

  it('tells the rest while the node does not answer', async () => {
    const silent = over(async () => Promise.reject(new LedgerUnavailable('any fault')));
    expect(await silent.execute()).toMatchObject({ lanes: [{ account: null }], pools: [guardedPool] });
    await expect(over(async () => Promise.reject(new TypeError('a bug'))).execute()).rejects.toBeInstanceOf(TypeError);
  });
});

const lane = (state: EngineStatus['lanes'][number]['state'], role: 'relay' | 'curator' = 'relay') => ({ address: LANE, role, state });

describe('the capacity that is told', () => {
  it.each([
    [['ready'], true],
    [['full'], true],
    [['held_elsewhere'], true],
    [['short_of_funds', 'unknown'], false],
    [['short_of_funds', 'ready'], true],
    [[], false],
  ] as const)('of relay lanes that are %o is %s', (states, expected) => {
    expect(canRelay([...states.map((state) => lane(state)), lane('ready', 'curator')])).toBe(expected);
  });
});
