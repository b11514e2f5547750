import { describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { typedData } from 'starknet';
import { APPLY_ACTIONS, answerOf, rpc } from './paymaster-requests.js';
import { CHAIN_ID, testApp } from './test-app.js';

const PARAMETERS = { version: '0x1', fee_mode: { mode: 'default', gas_token: '0x8001' } };
const CALL = { to: '0x70', selector: '0xa9', calldata: ['0x1', '0x2'] };

const builds = (invoke: object = {}) =>
  rpc('paymaster_buildTransaction', {
    transaction: {
      type: 'invoke_and_apply_action',
      apply_action: { pool_address: '0xaa1' },
      invoke: { user_address: '0x5e7', calls: [CALL], ...invoke },
    },
    parameters: PARAMETERS,
  });

const message = {
  Caller: '0x414e595f43414c4c4552',
  Nonce: '0x77',
  'Execute After': '0x1',
  'Execute Before': 1_900_000_000,
  Calls: [{ To: '0x70', Selector: '0xa9', Calldata: ['0x1', '0x2'] }],
};
const signed = (changes: object = {}, ofDomain: object = {}) => ({
  user_address: '0x5e7',
  typed_data: {
    types: {},
    primaryType: 'OutsideExecution',
    domain: {
      name: 'Account.execute_from_outside',
      version: '2',
      chainId: CHAIN_ID,
      revision: '1',
      ...ofDomain,
    },
    message,
  },
  signature: ['0x8', '0x9'],
  ...changes,
});
const executes = (invoke: object) =>
  rpc('paymaster_executeTransaction', {
    transaction: {
      type: 'invoke_and_apply_action',
      apply_action: {
        apply_actions_call: { to: '0xaa1', selector: APPLY_ACTIONS, calldata: ['0x1'] },
        proof: 'c3R3bw==',
        proof_facts: ['0x2'],
      },
      ...invoke,
    },
    parameters: PARAMETERS,
  });

describe('transactions of the type invoke_and_apply_action', () => {
  it('buildTransaction returns typed data of SNIP-9 that starknet.js can hash', async () => {
    const test = await testApp();
    const built = Object(await answerOf(test, builds()));
    expect(built).toMatchObject({
      type: 'invoke_and_apply_action',
      fee_action: { amount: '0x60' },
      typed_data: {
        primaryType: 'OutsideExecution',
        domain: { chainId: CHAIN_ID, version: '2' },
        message: {
          Caller: message.Caller,
          'Execute After': '0x1',
          Calls: [{ To: '0x70', Selector: '0xa9', Calldata: ['0x1', '0x2'] }],
        },
      },
    });
    expect(typedData.getMessageHash(built.typed_data, '0x5e7')).toMatch(/^0x/);
    expect(test.useCases.privateActions.quoted[0]?.isWithOutsideCalls).toBe(true);
    const again = Object(await answerOf(test, builds()));
    expect(again.typed_data.message.Nonce).not.toBe(built.typed_data.message.Nonce);
  });

  it.each(['invoke', 'execute_from_outside'])(
    'executeTransaction reads the signed calls in the field %s',
    async (field) => {
      const test = await testApp();
      await answerOf(test, executes({ [field]: signed() }));
      const [submitted] = test.useCases.privateActions.submitted;
      expect(submitted?.outsideCalls).toEqual({
        account: '0x5e7',
        caller: message.Caller,
        nonce: '0x77',
        executeAfter: 1n,
        executeBefore: 1_900_000_000n,
        calls: [{ to: '0x70', selector: '0xa9', calldata: Felts.parse(['0x1', '0x2']) }],
        signature: Felts.parse(['0x8', '0x9']),
      });
    },
  );

  it('executeTransaction accepts the name of the chain as a short string', async () => {
    const test = await testApp();
    await answerOf(test, executes({ invoke: signed({}, { chainId: 'SN_TEST' }) }));
    expect(test.useCases.privateActions.submitted).toHaveLength(1);
  });

  it.each([
    ['no signed calls', {}, /exactly one/],
    [
      'two lists of signed calls',
      { invoke: signed(), execute_from_outside: signed() },
      /exactly one/,
    ],
    ['another chain', { invoke: signed({}, { chainId: '0x1' }) }, /chainId/],
    ['an unreadable chain', { invoke: signed({}, { chainId: '0x' }) }, /chainId/],
    ['version 1 of SNIP-9', { invoke: signed({}, { version: '1' }) }, /version/],
    ['a decimal felt in a signature', { invoke: signed({ signature: ['12'] }) }, /signature/],
    ['no signature', { invoke: signed({ signature: [] }) }, /signature/],
  ])('executeTransaction rejects %s', async (_what, invoke, text) => {
    const test = await testApp();
    expect(await answerOf(test, executes(invoke))).toEqual([-32_602, expect.stringMatching(text)]);
    expect(test.useCases.privateActions.submitted).toEqual([]);
  });

  it.each([
    ['no calls', { calls: [] }, /calls/],
    ['a decimal felt', { calls: [{ ...CALL, to: '112' }] }, /calls/],
  ])('buildTransaction rejects %s, and promises no fee', async (_what, invoke, text) => {
    const test = await testApp();
    expect(await answerOf(test, builds(invoke))).toEqual([-32_602, expect.stringMatching(text)]);
    expect(test.useCases.privateActions.quoted).toEqual([]);
  });
});
