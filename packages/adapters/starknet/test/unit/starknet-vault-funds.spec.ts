import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetVaultFunds, selectorOf } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode, failure } from '../support/loopback-node.js';

const WBTC = toFelt('0xbc');
const VAULT = toFelt('0x5a');
const AT = { number: 7, hash: toFelt('0xb7'), timestamp: 1_700_000_000 };

describe('StarknetVaultFunds', () => {
  let node: LoopbackNode;
  let subject: StarknetVaultFunds;
  beforeEach(async () => {
    node = await LoopbackNode.start();
    subject = new StarknetVaultFunds(node.client(), WBTC);
  });
  afterEach(async () => node.stop());

  it('reads a vault’s WBTC balance at the block that is identified by its hash', async () => {
    node.answer = () => ({ result: ['0x4e20', '0x1'] });
    expect(await subject.idle(VAULT, AT)).toBe(2n ** 128n + 20_000n);
    expect(node.calls().map(({ method, params }) => [method, params])).toEqual([
      [
        'starknet_call',
        {
          request: {
            contract_address: WBTC,
            entry_point_selector: selectorOf('balanceOf'),
            calldata: [VAULT],
          },
          block_id: { block_hash: AT.hash },
        },
      ],
    ]);
  });

  it.each([[[]], [['0x1']], [['0x1', '0x0', '0x0']], [['0x0', `0x1${'0'.repeat(32)}`]]])(
    'rejects a vault’s balance %j, which is not a u256',
    async (answer) => {
      node.answer = () => ({ result: answer });
      expect(await failure(subject.idle(VAULT, AT))).toBeInstanceOf(NodeMalformedAnswer);
    },
  );

  it('a read of a vault’s balance fails instead of returning zero if the node rejects the call', async () => {
    node.answer = () => ({ error: { code: 20, message: 'Contract not found' } });
    expect(await failure(subject.idle(VAULT, AT))).toMatchObject({ code: 'NODE_REFUSED_CALL' });
  });
});
