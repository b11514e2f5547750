import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeMalformedAnswer,
  NodeRefusedCall,
  NodeUnavailable,
  StarknetPrivacyPoolReader,
  selectorOf,
} from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode, failure, type ScriptedAnswer } from '../support/loopback-node.js';

const POOL = toFelt('0x9001');
const [OLD, NEW] = [toFelt('0xc1'), toFelt('0xc2')] as const;
const NO_ENTRYPOINT: ScriptedAnswer = { error: { code: 21, message: 'no such entry point' } };
const NO_CONTRACT: ScriptedAnswer = { error: { code: 20, message: 'Contract not found' } };
const VIEWS = ['is_paused', 'get_fee_amount', 'get_proof_validity_blocks', 'get_version'];
const WANTED = { baseBlockNumber: 100, addresses: [toFelt('0x51'), toFelt('0x52')] };

/** State of the scripted chain. The last head is repeated. */
interface State {
  heads: number[];
  classHash: ScriptedAnswer;
  is_paused: ScriptedAnswer;
  get_fee_amount: ScriptedAnswer;
  get_proof_validity_blocks: ScriptedAnswer;
  get_version: ScriptedAnswer;
  block: ScriptedAnswer;
}
const start = (): State => ({
  heads: [200],
  classHash: { result: OLD },
  is_paused: { result: ['0x0'] },
  get_fee_amount: { result: ['0x5'] },
  get_proof_validity_blocks: { result: ['0x1c2'] },
  get_version: NO_ENTRYPOINT,
  block: { result: { status: 'ACCEPTED_ON_L1', block_number: 100, block_hash: '0xb64' } },
});

describe('StarknetPrivacyPoolReader', () => {
  let node: LoopbackNode;
  let reader: StarknetPrivacyPoolReader;
  let state: State;
  beforeEach(async () => {
    node = await LoopbackNode.start();
    reader = new StarknetPrivacyPoolReader(node.client());
    state = start();
    node.answer = ({ method, params }) => {
      switch (method) {
        case 'starknet_blockHashAndNumber': {
          const number = (state.heads.length > 1 ? state.heads.shift() : state.heads[0]) ?? 0;
          return { result: { block_number: number, block_hash: toFelt(BigInt(number)) } };
        }
        case 'starknet_getClassHashAt':
          return state.classHash;
        case 'starknet_getBlockWithTxHashes':
          return state.block;
        case 'starknet_getStorageAt':
          return { result: params['key'] === '0x52' ? '0x7' : '0x0' };
        default: {
          const { entry_point_selector: selector } = Object(params['request']);
          const view = VIEWS.find((name) => selectorOf(name) === selector);
          return Object(state)[view ?? ''];
        }
      }
    };
  });
  afterEach(async () => node.stop());

  const versionCalls = (): readonly unknown[] =>
    node
      .calls()
      .filter(
        ({ params }) =>
          Object(params['request']).entry_point_selector === selectorOf('get_version'),
      )
      .map(({ params }) => params['block_id']);

  it('reads all facts of a known class in one request', async () => {
    const facts = {
      classHash: OLD,
      version: 'before 2.0',
      isPaused: false,
      feeFri: 5n,
      validityBlocks: 450,
      headNumber: 200,
      baseBlockHash: '0xb64',
      taken: ['0x52'],
    };
    expect(await reader.facts(POOL, WANTED)).toEqual(facts);
    const before = node.bodies.length;
    expect(await reader.facts(POOL, WANTED)).toEqual(facts);
    expect(node.bodies).toHaveLength(before + 1);
    const withoutBase = await reader.facts(POOL, { baseBlockNumber: null, addresses: [] });
    expect(withoutBase).toEqual({ ...facts, baseBlockHash: null, taken: [] });
  });

  it('reads the version of each class once, in the block of the facts', async () => {
    expect(await reader.facts(POOL, WANTED)).toMatchObject({ version: 'before 2.0' });
    await reader.facts(toFelt('0x9002'), WANTED);
    expect(versionCalls()).toEqual([{ block_hash: toFelt(200n) }]);
    state.classHash = { result: NEW };
    state.get_version = { result: ['0x322e30'] };
    expect(await reader.facts(POOL, WANTED)).toMatchObject({ classHash: NEW, version: '2.0' });
    await reader.facts(POOL, WANTED);
    expect(versionCalls()).toHaveLength(2);
  });

  it('rejects, and reads the version again, if the node can not read the version', async () => {
    state.get_version = { error: { code: -32_603, message: 'Internal error' } };
    expect(await failure(reader.facts(POOL, WANTED))).toMatchObject({ code: expect.any(String) });
    state.get_version = NO_ENTRYPOINT;
    expect(await reader.facts(POOL, WANTED)).toMatchObject({ version: 'before 2.0' });
  });

  it.each([
    ['a class without is_paused is never paused', NO_ENTRYPOINT, false],
    ['a paused pool is reported as paused', { result: ['0x1'] }, true],
  ])('%s', async (_title, answer, isPaused) => {
    state.is_paused = answer;
    expect(await reader.facts(POOL, WANTED)).toMatchObject({ isPaused });
  });

  it('limits a validity that no block height reaches', async () => {
    state.get_proof_validity_blocks = { result: ['0xffffffffffffffff'] };
    expect(await reader.facts(POOL, WANTED)).toMatchObject({ validityBlocks: 2 ** 32 });
  });

  it('repeats the request if a block arrives between its reads', async () => {
    state.heads = [200, 201, 201, 201];
    expect(await reader.facts(POOL, WANTED)).toMatchObject({ headNumber: 201 });
    state.heads = [202, 203, 204, 205];
    expect(await failure(reader.facts(POOL, WANTED))).toBeInstanceOf(NodeUnavailable);
  });

  it('returns null for a base block above the head, and rejects for a missing recent one', async () => {
    state.block = { error: { code: 24, message: 'Block not found' } };
    const above = { ...WANTED, baseBlockNumber: 201 };
    expect(await reader.facts(POOL, above)).toMatchObject({ baseBlockHash: null });
    expect(await failure(reader.facts(POOL, WANTED))).toBeInstanceOf(NodeUnavailable);
  });

  it('returns null for a pruned base block whose proofs have expired', async () => {
    state.block = { error: { code: 24, message: 'Block not found' } };
    state.heads = [2_000];
    expect(await reader.facts(POOL, WANTED)).toMatchObject({ baseBlockHash: null });
  });

  it.each<[string, Partial<State>]>([
    [
      'no contract',
      {
        classHash: NO_CONTRACT,
        is_paused: NO_CONTRACT,
        get_fee_amount: NO_CONTRACT,
        get_proof_validity_blocks: NO_CONTRACT,
      },
    ],
    ['a contract without a fee', { get_fee_amount: NO_ENTRYPOINT }],
    ['a contract without a validity', { get_proof_validity_blocks: NO_ENTRYPOINT }],
    [
      'a contract that reports a missing view as a panic',
      {
        get_fee_amount: {
          error: {
            code: 40,
            message: 'Contract error',
            data: { revert_error: '0x454e545259504f494e545f4e4f545f464f554e44' },
          },
        },
      },
    ],
  ])('rejects %s as no privacy pool', async (_what, changes) => {
    Object.assign(state, changes);
    const error = await failure(reader.facts(POOL, { baseBlockNumber: null, addresses: [] }));
    expect(error).toBeInstanceOf(NodeMalformedAnswer);
    expect(error).toMatchObject({ message: 'the contract is no privacy pool' });
  });

  it.each<[string, Partial<State>]>([
    ['a fee above u128', { get_fee_amount: { result: [toFelt(2n ** 128n)] } }],
    ['a fee of two felts', { get_fee_amount: { result: ['0x1', '0x0'] } }],
    ['a pause that is no bool', { is_paused: { result: ['0x2'] } }],
    ['a validity above u64', { get_proof_validity_blocks: { result: [toFelt(2n ** 64n)] } }],
  ])('rejects %s as malformed', async (_what, changes) => {
    Object.assign(state, changes);
    expect(await failure(reader.facts(POOL, WANTED))).toBeInstanceOf(NodeMalformedAnswer);
  });

  it('rejects if a view panics', async () => {
    state.get_fee_amount = {
      error: { code: 40, message: 'Contract error', data: { revert_error: 'out of order' } },
    };
    expect(await failure(reader.facts(POOL, WANTED))).toBeInstanceOf(NodeRefusedCall);
  });
});
