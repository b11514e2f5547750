import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetSnapshots } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode, failure, type ScriptedAnswer } from '../support/loopback-node.js';

const AFTER = { number: 5, hash: toFelt('0xb5') };
const NOT_FOUND: ScriptedAnswer = { error: { code: 24, message: 'Block not found' } };
const PRICE = { price_in_fri: '0x1', price_in_wei: '0x1' };

function block(number: number, changes: Readonly<Record<string, unknown>> = {}): ScriptedAnswer {
  return {
    result: {
      status: 'ACCEPTED_ON_L2',
      block_number: number,
      block_hash: `0x00B${number}`,
      timestamp: 1_700_000_000 + number,
      l1_gas_price: PRICE,
      l1_data_gas_price: PRICE,
      l2_gas_price: PRICE,
      transactions: [],
      ...changes,
    },
  };
}

describe('StarknetSnapshots', () => {
  let node: LoopbackNode;
  let subject: StarknetSnapshots;
  let latest: ScriptedAnswer;
  let named: ScriptedAnswer;
  beforeEach(async () => {
    node = await LoopbackNode.start();
    subject = new StarknetSnapshots(node.client());
    latest = block(7);
    named = block(5);
    node.answer = ({ params }) => (params['block_id'] === 'latest' ? latest : named);
  });
  afterEach(async () => node.stop());

  it('reads the newest block and the hash of the known block in one request', async () => {
    expect(await subject.latest(AFTER)).toEqual({
      number: 7,
      hash: toFelt('0xb7'),
      timestamp: 1_700_000_007,
    });
    expect(node.bodies).toHaveLength(1);
    expect(node.calls().map(({ params }) => params['block_id'])).toEqual([
      'latest',
      { block_number: 5 },
    ]);
  });

  it('reads only the newest block if no earlier block is known', async () => {
    expect(await subject.latest(null)).toMatchObject({ number: 7 });
    expect(node.calls()).toHaveLength(1);
  });

  it('reports the node as behind if its newest block has the known height but a different hash', async () => {
    latest = block(5, { block_hash: '0xbad' });
    expect(await failure(subject.latest(AFTER))).toMatchObject({
      code: 'NODE_BEHIND',
      details: { blockNumber: 5 },
    });
  });

  it('reports the node as behind if its newest block is below the known block', async () => {
    latest = block(4);
    expect(await failure(subject.latest(AFTER))).toMatchObject({ code: 'NODE_BEHIND' });
  });

  it('reports the node as behind if the node lacks the known block and all later blocks', async () => {
    latest = block(4);
    named = NOT_FOUND;
    expect(await failure(subject.latest(AFTER))).toMatchObject({ code: 'NODE_BEHIND' });
  });

  it('reports the node as unavailable if the node lacks the known block but has a later block', async () => {
    named = NOT_FOUND;
    expect(await failure(subject.latest(AFTER))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });

  it.each<[string, ScriptedAnswer, ScriptedAnswer]>([
    ['a newest block that is not accepted', block(7, { status: 'PRE_CONFIRMED' }), block(5)],
    ['a height that no chain has', block(7, { block_number: 2 ** 32 }), block(5)],
    ['a time that no block has', block(7, { timestamp: 2 ** 34 }), block(5)],
    ['a time before all time', block(7, { timestamp: -1 }), block(5)],
    ['a hash outside the field', block(7, { block_hash: `0x${'f'.repeat(64)}` }), block(5)],
    ['another height than it was asked for', block(7), block(6)],
    ['a block that is not accepted', block(7), block(5, { status: 'PRE_CONFIRMED' })],
    ['nothing of a block', block(7), { result: {} }],
  ])('rejects a response about the newest block with %s', async (_what, ...answers) => {
    [latest, named] = answers;
    expect(await failure(subject.latest(AFTER))).toBeInstanceOf(NodeMalformedAnswer);
  });

  it('does not report the node as behind if the node’s error is not about a missing block', async () => {
    named = { error: { code: -32_603, message: 'Internal error' } };
    expect(await failure(subject.latest(AFTER))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });
});
