import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetPoolEvents, selectorOf } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode, failure } from '../support/loopback-node.js';

const HASH = toFelt('0xabc');
const SWAP_POOL = toFelt('0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72');
const TOKEN = toFelt('0x53c91253bc9682c04929ca02ed00b3e423f6710d2ee7e0d5ebb06f3ecf368a8');
const EVENT = {
  from_address: '0x059ABF82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72',
  keys: [selectorOf('SwapDeposit'), '0x5', '0x6'],
  data: ['0xc', TOKEN, '0x7', '0x1', '0x68f0e3d0'],
};
const TRANSFER = {
  from_address: TOKEN,
  keys: [selectorOf('Transfer'), '0x1'],
  data: ['0x1', '0x0'],
};
const DEPOSIT = {
  commitment: (6n << 128n) + 5n,
  leafIndex: 12,
  outputToken: TOKEN,
  outputAmount: (1n << 128n) + 7n,
};

describe('StarknetPoolEvents for receipts of swaps', () => {
  let node: LoopbackNode;
  beforeEach(async () => {
    node = await LoopbackNode.start();
  });
  afterEach(async () => node.stop());

  async function depositIn(
    events: unknown,
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> {
    node.answer = () => ({
      result: { transaction_hash: '0x0ABC', finality_status: 'ACCEPTED_ON_L2', events, ...changes },
    });
    return new StarknetPoolEvents(node.client(), { swapPool: SWAP_POOL }).swapDepositOf(HASH);
  }

  it('finds the swap pool’s deposit event of a swap among other events of the receipt, in one request', async () => {
    expect(await depositIn([TRANSFER, EVENT, TRANSFER])).toEqual(DEPOSIT);
    expect(node.calls().map(({ method, params }) => [method, params])).toEqual([
      ['starknet_getTransactionReceipt', { transaction_hash: HASH }],
    ]);
  });

  it('reads a swap’s deposit from a receipt that is only pre-confirmed', async () => {
    expect(await depositIn([EVENT], { finality_status: 'PRE_CONFIRMED' })).toEqual(DEPOSIT);
  });

  it.each([
    ['of a receipt without events', []],
    ['of events of others', [TRANSFER]],
    ['of another contract that claims one', [{ ...EVENT, from_address: TOKEN }]],
    [
      'of another event of the swap pool',
      [{ ...EVENT, keys: [selectorOf('SwapWithdraw'), '0x5', '0x6'] }],
    ],
    ['of an event without a name', [{ ...EVENT, keys: [] }]],
  ])(
    'returns no deposit of a swap if the receipt contains no matching event: %s',
    async (_what, events) => {
      expect(await depositIn(events)).toBeNull();
    },
  );

  it('returns null as the deposit of a swap’s transaction without a receipt', async () => {
    node.answer = () => ({ error: { code: 29, message: 'Transaction hash not found' } });
    expect(
      await new StarknetPoolEvents(node.client(), { swapPool: SWAP_POOL }).swapDepositOf(HASH),
    ).toBeNull();
  });

  it.each([
    ['two deposits', [EVENT, EVENT]],
    ['a key too few', [{ ...EVENT, keys: EVENT.keys.slice(0, 2) }]],
    ['a key too many', [{ ...EVENT, keys: [...EVENT.keys, '0x0'] }]],
    [
      'a commitment half of 2^128',
      [{ ...EVENT, keys: [selectorOf('SwapDeposit'), `0x1${'0'.repeat(32)}`, '0x0'] }],
    ],
    ['a leaf index of 2^32', [{ ...EVENT, data: ['0x100000000', ...EVENT.data.slice(1)] }]],
    [
      'an amount half of 2^128',
      [{ ...EVENT, data: [...EVENT.data.slice(0, 3), `0x1${'0'.repeat(32)}`, '0x0'] }],
    ],
    ['a felt too few', [{ ...EVENT, data: EVENT.data.slice(0, 4) }]],
    ['a felt too many', [{ ...EVENT, data: [...EVENT.data, '0x0'] }]],
    ['no list of events', undefined],
  ])('rejects a swap receipt with %s', async (_what, events) => {
    expect(await failure(depositIn(events))).toBeInstanceOf(NodeMalformedAnswer);
  });

  it('rejects a receipt that belongs to another transaction than the swap', async () => {
    expect(await failure(depositIn([EVENT], { transaction_hash: '0xdef' }))).toBeInstanceOf(
      NodeMalformedAnswer,
    );
  });

  it('rejects the read of a swap receipt if the node fails', async () => {
    node.answer = () => ({ error: { code: -32_603, message: 'Internal error' } });
    expect(
      await failure(
        new StarknetPoolEvents(node.client(), { swapPool: SWAP_POOL }).swapDepositOf(HASH),
      ),
    ).toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });
});
