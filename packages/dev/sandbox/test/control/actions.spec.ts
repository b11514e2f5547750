import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toHex } from '../../src/engine/felt.js';
import { startHarness, type Harness } from '../support/harness.js';
import { postJson } from '../support/rpc.js';
import { ALICE, COUNTER_1, POOR } from '../support/world.js';

const done = (result: unknown = null): object => ({ status: 200, body: { result } });

describe('the control interface over HTTP', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());

  const act = async (action: unknown): Promise<{ status: number; body: unknown }> => {
    const response = await postJson(`${node.url}/control`, action);
    return { status: response.status, body: await response.json() };
  };
  const good = {
    account: ALICE,
    calls: [{ to: COUNTER_1, entrypoint: 'increase', calldata: [5n] }],
  } as const;

  it('the control interface over HTTP performs every action of the typed interface', async () => {
    const address = toHex(ALICE.address);
    const hash = await node.send(good);
    expect(await act({ action: 'waiting' })).toEqual(
      done([{ hash, sender: address, nonce: '0x0' }]),
    );
    expect(await act({ action: 'evict', hash })).toEqual(done(true));
    expect(await act({ action: 'evict', hash })).toEqual(done(false));
    expect(await act({ action: 'revertNext', reason: 'ordered', sender: address })).toEqual(done());
    await node.send(good);
    for (const step of ['candidate', 'pre_confirmed'])
      expect(await act({ action: 'advance', step })).toEqual(done());
    expect(await act({ action: 'paidInclusions' })).toMatchObject(
      done([
        {
          hash,
          sender: address,
          executionStatus: 'REVERTED',
          finality: 'PRE_CONFIRMED',
          blockNumber: 1,
        },
      ]),
    );
    expect(await act({ action: 'undoPreConfirmed', fate: 'vanish' })).toEqual(done());
    expect(await act({ action: 'takeNonce', address })).toMatchObject(
      done(expect.stringMatching(/^0x/)),
    );
    expect(await act({ action: 'mine', blocks: 2 })).toEqual(done(2));
    expect(await act({ action: 'reorgLatestBlock' })).toEqual(done());
    expect(await node.result('starknet_blockNumber')).toBe(1);
    expect(await act({ action: 'mine', blocks: 2 })).toEqual(done(3));
    expect(await act({ action: 'rollback', blocks: 2, fate: 'vanish' })).toEqual(done());
    expect(await act({ action: 'unreadable', felt: address })).toEqual(done());
    expect(await node.error('starknet_getNonce', ['latest', address])).toMatchObject({
      code: -32_603,
    });
    expect(await act({ action: 'unreadable', felt: address, isUnreadable: false })).toEqual(done());
    expect(await node.nonce(ALICE.address, 'latest')).toMatch(/^0x/);
    expect(await act({ action: 'setPushMode', mode: 'serve' })).toEqual(done());
    expect(await act({ action: 'cutPush' })).toEqual(done());
    expect(await act({ action: 'pushConnections' })).toEqual(done(0));
    expect(await act({ action: 'pushFalsely', sender: '0xdead' })).toMatchObject({ status: 400 });
    expect(await act({ action: 'delay', method: 'starknet_chainId', ms: 1 })).toEqual(done());
    expect(node.control.delayOf(['starknet_chainId'])).toBe(1);
    expect(await act({ action: 'setGasPrices', l2Gas: '9000000000', l1Gas: '0x1' })).toEqual(
      done(),
    );
    expect(await node.result('starknet_getBlockWithTxHashes', ['pre_confirmed'])).toMatchObject({
      l2_gas_price: { price_in_fri: toHex(9_000_000_000n) },
      l1_gas_price: { price_in_fri: '0x1' },
      l1_data_gas_price: { price_in_fri: toHex(1_000_000_000n) },
    });
    expect(await act({ action: 'freezeClock', atMs: 2_000_000_000_000 })).toEqual(done());
    expect(await act({ action: 'moveClock', byMs: 500 })).toEqual(done());
    expect(await act({ action: 'nowMs' })).toEqual(done(2_000_000_000_500));
    expect(await act({ action: 'runClock' })).toEqual(done());
    expect(await act({ action: 'mint', owner: toHex(POOR.address), amount: '1000' })).toEqual(
      done(),
    );
    expect(
      await act({ action: 'setStorage', address: toHex(COUNTER_1), key: 'value', value: 6 }),
    ).toEqual(done());
    expect(await act({ action: 'storage', address: toHex(COUNTER_1), key: 'value' })).toEqual(
      done('0x6'),
    );
    const changes = {
      reserve: '7',
      nominalDebtE18: 8,
      rateAccumulatorE18: '0x9',
      fullUtilizationRateE18: 10,
    };
    expect(
      await act({ action: 'setLendingMarket', pool: toHex(COUNTER_1), changes, asset: '0xa5' }),
    ).toEqual(done());
    expect(node.control.storage(COUNTER_1, 'rate_accumulator:a5')).toBe(9n);
    expect(
      await act({
        action: 'setLendingInterest',
        pool: toHex(COUNTER_1),
        asset: '0xa5',
        rateE18: 7,
      }),
    ).toEqual(done());
    expect(node.control.storage(COUNTER_1, 'interest_rate:a5')).toBe(7n);
    expect(await act({ action: 'lag', forMs: 60_000, blocksBehind: 1 })).toEqual(done());
    expect(await node.result('starknet_blockNumber')).toBe(0);
    expect(await act({ action: 'endLag' })).toEqual(done());
    expect(await act({ action: 'setLatency', ms: 2 })).toEqual(done());
    expect(node.control.latencyMs).toBe(2);
    expect(
      await act({
        action: 'addFault',
        method: '*',
        fault: { kind: 'refuse', code: 63, data: 'no' },
        times: 2,
      }),
    ).toEqual(done());
    expect(await node.error('starknet_chainId')).toMatchObject({ code: 63, data: 'no' });
    expect(await act({ action: 'clearFaults' })).toEqual(done());
    expect(await act({ action: 'resetCounters' })).toEqual(done());
    await node.result('starknet_chainId');
    expect(await act({ action: 'counters' })).toEqual(
      done({
        httpRequests: 1,
        calls: { starknet_chainId: 1 },
        httpRequestsByMethod: { starknet_chainId: 1 },
        httpRequestsByContent: { starknet_chainId: 1 },
        deliveries: {},
      }),
    );
    for (const action of ['pause', 'resume']) expect(await act({ action })).toEqual(done());
  });

  it.each([
    ['an unknown action', { action: 'explode' }],
    ['no action', {}],
    ['a member that the action does not have', { action: 'clearFaults', now: true }],
    ['a wrong type', { action: 'mine', blocks: 'two' }],
    ['an unknown fault', { action: 'addFault', method: '*', fault: { kind: 'earthquake' } }],
    ['a felt outside the field', { action: 'evict', hash: `0x${'f'.repeat(64)}` }],
    ['text that is no JSON', '{'],
    ['an action that is currently impossible', { action: 'reorgLatestBlock' }],
  ])('the control interface over HTTP rejects %s with 400 and a reason', async (_name, action) => {
    expect(await act(action)).toEqual({ status: 400, body: { error: expect.stringMatching(/./) } });
  });
});
