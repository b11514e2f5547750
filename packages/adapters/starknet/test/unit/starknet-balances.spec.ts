import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetBalances, selectorOf } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode, failure } from '../support/loopback-node.js';

const TOKEN = toFelt('0x57');
const ACCOUNT = toFelt('0xa1');
const AT = { number: 7, hash: toFelt('0xb7'), timestamp: 1_700_000_000 };

describe('StarknetBalances', () => {
  let node: LoopbackNode;
  let subject: StarknetBalances;
  beforeEach(async () => {
    node = await LoopbackNode.start();
    subject = new StarknetBalances(node.client());
  });
  afterEach(async () => node.stop());

  it('reads an account’s balance at the block that is identified by its hash', async () => {
    node.answer = () => ({ result: ['0x5', '0x2'] });
    expect(await subject.of(TOKEN, ACCOUNT, AT)).toBe(2n ** 129n + 5n);
    expect(node.calls().map(({ params }) => params)).toEqual([
      {
        request: {
          contract_address: TOKEN,
          entry_point_selector: selectorOf('balanceOf'),
          calldata: [ACCOUNT],
        },
        block_id: { block_hash: AT.hash },
      },
    ]);
  });

  it.each([[[]], [['0x1']], [['0x1', '0x0', '0x0']], [['0x0', `0x1${'0'.repeat(32)}`]]])(
    'rejects the balance %j, which is not a u256',
    async (result) => {
      node.answer = () => ({ result });
      expect(await failure(subject.of(TOKEN, ACCOUNT, AT))).toBeInstanceOf(NodeMalformedAnswer);
    },
  );

  it('a read of a balance fails instead of returning zero if the node rejects the call', async () => {
    node.answer = () => ({ error: { code: 20, message: 'Contract not found' } });
    expect(await failure(subject.of(TOKEN, ACCOUNT, AT))).toMatchObject({
      code: 'NODE_REFUSED_CALL',
    });
  });
});
