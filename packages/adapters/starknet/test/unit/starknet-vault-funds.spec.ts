import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetVaultFunds, selectorOf } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode, failure, type RpcRequest } from '../support/loopback-node.js';

const WBTC = toFelt('0xbc');
const VAULT = toFelt('0x5a');
const HEAD = 'starknet_blockHashAndNumber';

describe('StarknetVaultFunds', () => {
  let node: LoopbackNode;
  let subject: StarknetVaultFunds;
  /** Hash and number of the latest block, each time they are asked for; the last stays. */
  let heads: (readonly [hash: string, number: unknown])[];
  let balance: readonly string[];
  beforeEach(async () => {
    node = await LoopbackNode.start();
    subject = new StarknetVaultFunds(node.client(), WBTC);
    heads = [['0xb7', 7]];
    balance = ['0x4e20', '0x1'];
    node.answer = ({ method }: RpcRequest) => {
      if (method !== HEAD) return { result: balance };
      const [hash, number] = (heads.length > 1 ? heads.shift() : heads[0]) ?? [];
      return { result: { block_hash: hash, block_number: number } };
    };
  });
  afterEach(async () => node.stop());

  it('asks the token for the vault’s balance and the node for its block, in one request', async () => {
    expect(await subject.idle(VAULT)).toEqual({ idleSats: 2n ** 128n + 20_000n, blockNumber: 7 });
    expect(node.bodies).toHaveLength(1);
    expect(node.calls().map(({ method }) => method)).toEqual([HEAD, 'starknet_call', HEAD]);
    expect(node.calls()[1]?.params).toEqual({
      request: {
        contract_address: WBTC,
        entry_point_selector: selectorOf('balanceOf'),
        calldata: [VAULT],
      },
      block_id: 'latest',
    });
  });

  it('reads once more when a block came in between', async () => {
    heads = [
      ['0xb6', 6],
      ['0xb7', 7],
      ['0xb7', 7],
    ];
    expect(await subject.idle(VAULT)).toMatchObject({ blockNumber: 7 });
    expect(node.bodies).toHaveLength(2);
  });

  it('gives up when blocks keep coming in between', async () => {
    heads = [
      ['0xb6', 6],
      ['0xb7', 7],
      ['0xb8', 8],
      ['0xb9', 9],
    ];
    expect(await failure(subject.idle(VAULT))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
    expect(node.bodies).toHaveLength(2);
  });

  it.each([[[]], [['0x1']], [['0x1', '0x0', '0x0']], [['0x0', `0x1${'0'.repeat(32)}`]]])(
    'refuses %j, which is no u256',
    async (answer) => {
      balance = answer;
      expect(await failure(subject.idle(VAULT))).toBeInstanceOf(NodeMalformedAnswer);
    },
  );

  it('takes no refusal for a 0', async () => {
    node.answer = ({ method }) =>
      method === HEAD
        ? { result: { block_hash: '0xb7', block_number: 7 } }
        : { error: { code: 20, message: 'Contract not found' } };
    expect(await failure(subject.idle(VAULT))).toMatchObject({ code: 'NODE_REFUSED_CALL' });
  });
});
