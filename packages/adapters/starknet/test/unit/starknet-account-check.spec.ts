import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AccountKeyUnusable,
  HeldKeys,
  NodeMalformedAnswer,
  StarknetAccountCheck,
  selectorOf,
  shortStringFelt,
} from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { ec } from 'starknet';
import { z } from 'zod';
import { LoopbackNode, failure, type ScriptedAnswer } from '../support/loopback-node.js';

const ACCOUNT = { address: toFelt('0xa1'), privateKey: '0x1234' };
const VALID = shortStringFelt('VALID');
const Requested = z.object({
  request: z.object({
    contract_address: z.string(),
    entry_point_selector: z.string(),
    calldata: z.array(z.string()),
  }),
});

describe('StarknetAccountCheck', () => {
  let node: LoopbackNode;
  let check: StarknetAccountCheck;
  let deployed: ScriptedAnswer;
  let answer: ScriptedAnswer;
  beforeEach(async () => {
    deployed = { result: '0xc1a55' };
    answer = { result: [VALID] };
    node = await LoopbackNode.start();
    node.answer = ({ method }) => (method === 'starknet_getClassHashAt' ? deployed : answer);
    check = new StarknetAccountCheck(node.client(), new HeldKeys([ACCOUNT]));
  });
  afterEach(async () => node.stop());

  it('the account check calls the account once, with a signature by the configured key', async () => {
    expect(await check.problemOf(ACCOUNT.address)).toBeNull();
    expect(node.bodies).toHaveLength(1);
    const call = node.calls().find(({ method }) => method === 'starknet_call');
    const {
      contract_address: to,
      entry_point_selector: selector,
      calldata,
    } = Requested.parse(call?.params).request;
    expect([to, selector]).toEqual([ACCOUNT.address, selectorOf('is_valid_signature')]);
    const [hash = '', length, r = '', s = ''] = calldata;
    expect(length).toBe('0x2');
    const signature = new ec.starkCurve.Signature(BigInt(r), BigInt(s));
    expect(
      ec.starkCurve.verify(signature, hash, ec.starkCurve.getPublicKey(ACCOUNT.privateKey)),
    ).toBe(true);
  });

  it('the account check signs the same hash for every check of an account', async () => {
    await check.problemOf(ACCOUNT.address);
    await check.problemOf(ACCOUNT.address);
    const requested = node
      .calls()
      .flatMap(({ method, params }) =>
        method === 'starknet_call' ? [JSON.stringify(params)] : [],
      );
    expect(new Set(requested).size).toBe(1);
  });

  it('the account check reports an undeployed account, regardless of the result of its call', async () => {
    deployed = { error: { code: 20, message: 'Contract not found' } };
    answer = { error: { code: 20, message: 'Contract not found' } };
    expect(await check.problemOf(ACCOUNT.address)).toBe('NOT_DEPLOYED');
  });

  it.each([
    [{ code: 21, message: 'x' }],
    [
      {
        code: 40,
        message: 'x',
        data: {
          revert_error: {
            error: "0x454e545259504f494e545f4e4f545f464f554e44 ('ENTRYPOINT_NOT_FOUND')",
          },
        },
      },
    ],
    [
      {
        code: 40,
        message: 'x',
        data: { revert_error: 'Entry point EntryPointSelector(0x1) not found: EntryPointNotFound' },
      },
    ],
  ])(
    'the account check reports a contract whose class is not an account class: %j',
    async (error) => {
      answer = { error };
      expect(await check.problemOf(ACCOUNT.address)).toBe('NO_ACCOUNT_CLASS');
    },
  );

  it.each([
    [{ result: ['0x0'] }],
    [{ result: [] }],
    [{ result: ['0x1'] }],
    [{ result: [VALID, VALID] }],
    [
      {
        error: { code: 40, message: 'Contract error', data: { revert_error: 'invalid signature' } },
      },
    ],
    [{ error: { code: 40, message: 'Contract error' } }],
  ])('the account check reports a wrong key if the account returns %j', async (given) => {
    answer = given;
    expect(await check.problemOf(ACCOUNT.address)).toBe('WRONG_KEY');
  });

  it.each([[-32_603], [24], [429], [-32_602], [63]])(
    'the account check fails if the node returns error %d',
    async (code) => {
      answer = { error: { code, message: 'x' } };
      expect(await failure(check.problemOf(ACCOUNT.address))).toMatchObject({
        code: expect.stringMatching(/^NODE_/),
      });
      answer = { result: [VALID] };
      deployed = { error: { code, message: 'x' } };
      expect(await failure(check.problemOf(ACCOUNT.address))).toMatchObject({
        code: expect.stringMatching(/^NODE_/),
      });
    },
  );

  it('the account check fails if the response is malformed', async () => {
    answer = { result: 'VALID' };
    expect(await failure(check.problemOf(ACCOUNT.address))).toBeInstanceOf(NodeMalformedAnswer);
  });

  it('the account check fails for an account without a configured key, and sends no request', async () => {
    expect(await failure(check.problemOf(toFelt('0xbad')))).toBeInstanceOf(AccountKeyUnusable);
    expect(node.bodies).toEqual([]);
  });
});
