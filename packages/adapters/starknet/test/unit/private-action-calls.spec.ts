import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StarknetAccountHistory, selectorOf } from '@sotto/adapter-starknet';
import { Felts, toFelt } from '@sotto/kernel';
import { packPayload, unpackPayload, type PrivateActionPayload } from '@sotto/relayer-core';
import * as fc from 'fast-check';
import { transaction, type Call } from 'starknet';
import { withPrivateActionsJoined } from '../../src/private-action-calls.js';
import { LoopbackNode } from '../support/loopback-node.js';
import {
  APPLY_ACTIONS,
  PAYLOAD,
  PRIVACY_POOL,
  STRK,
  USER_ACCOUNT,
  anyPayload,
  callsOf,
} from '../support/private-actions.js';

const ACCOUNT = toFelt('0xa1');
const FEE = 2n ** 90n;
const STATED: PrivateActionPayload = {
  ...PAYLOAD,
  poolFee: { token: STRK, amountFri: FEE },
  facts: Felts.of([]),
  proof: new Uint8Array(),
};
const [OUTSIDE, APPROVE, APPLY] = callsOf(STATED);
if (OUTSIDE === undefined || APPROVE === undefined || APPLY === undefined)
  throw new Error('the payload has fewer than three calls');
const approve = (
  amount = FEE,
  {
    token = STRK,
    to = PRIVACY_POOL,
    high = '0x0',
  }: Partial<Record<'token' | 'to' | 'high', string>> = {},
): Call => ({
  contractAddress: token,
  entrypoint: 'approve',
  calldata: [to, toFelt(amount), high],
});

describe('StarknetAccountHistory with private actions', () => {
  let node: LoopbackNode;
  let calldata: readonly string[];
  beforeEach(async () => {
    node = await LoopbackNode.start();
    node.answer = () => ({
      result: {
        status: 'ACCEPTED_ON_L2',
        block_number: 4,
        block_hash: '0xb04',
        parent_hash: '0xb03',
        transactions: [
          {
            transaction: {
              type: 'INVOKE',
              version: '0x3',
              sender_address: ACCOUNT,
              nonce: '0x5',
              calldata,
            },
            receipt: {
              transaction_hash: '0xf1',
              execution_status: 'SUCCEEDED',
              actual_fee: { amount: '0x10', unit: 'FRI' },
            },
          },
        ],
      },
    });
  });
  afterEach(async () => node.stop());

  const callsIn = async (calls: readonly Call[], strkToken: typeof STRK | undefined = STRK) => {
    calldata = transaction.getExecuteCalldata([...calls], '1').map((felt) => toFelt(BigInt(felt)));
    const history = new StarknetAccountHistory(node.client(), { strkToken });
    const { sent } = await history.transactions([ACCOUNT], 4, 4);
    return sent[0]?.calls ?? [];
  };

  it.each<[string, readonly Call[], Partial<PrivateActionPayload>]>([
    ['private actions', [APPLY], { poolFee: null, outsideExecution: null }],
    ['an approval and private actions', [APPROVE, APPLY], { outsideExecution: null }],
    ['an outside execution and private actions', [OUTSIDE, APPLY], { poolFee: null }],
    ['all three calls', [OUTSIDE, APPROVE, APPLY], {}],
  ])('the history returns %s as one call with a payload', async (_what, calls, changes) => {
    const found = await callsIn(calls);
    expect(found).toEqual([
      { target: APPLY_ACTIONS, calldata: packPayload({ ...STATED, ...changes }) },
    ]);
    expect(unpackPayload(found[0]?.calldata ?? Felts.of([]))?.facts).toHaveLength(0);
  });

  it.each<[string, readonly Call[]]>([
    ['an approval of another token', [approve(FEE, { token: '0x70' }), APPLY]],
    ['an approval to another contract', [approve(FEE, { to: '0xbad' }), APPLY]],
    ['an approval of nothing', [approve(0n), APPLY]],
    ['an approval above u128', [approve(FEE, { high: '0x1' }), APPLY]],
    ['two approvals', [APPROVE, APPROVE, APPLY]],
    ['an approval before the outside execution', [APPROVE, OUTSIDE, APPLY]],
    ['two outside executions', [OUTSIDE, OUTSIDE, APPLY]],
    ['an outside execution without calldata', [{ ...OUTSIDE, calldata: [] }, APPLY]],
    [
      'an outside execution by the older entry point',
      [{ ...OUTSIDE, entrypoint: 'execute_from_outside' }, APPLY],
    ],
    ['a call after the actions', [APPLY, APPROVE]],
    [
      'an unrelated call',
      [{ contractAddress: '0x70', entrypoint: 'transfer', calldata: [] }, APPLY],
    ],
  ])('the history does not join %s', async (_what, calls) => {
    expect(await callsIn(calls)).toHaveLength(calls.length);
  });

  it('the history joins no approval if it does not know the STRK token', async () => {
    calldata = transaction
      .getExecuteCalldata([APPROVE, APPLY], '1')
      .map((felt) => toFelt(BigInt(felt)));
    const { sent } = await new StarknetAccountHistory(node.client()).transactions([ACCOUNT], 4, 4);
    expect(sent[0]?.calls).toHaveLength(2);
    expect(await callsIn([APPLY], undefined)).toHaveLength(1);
  });

  it('an outside execution without other calls is unchanged', async () => {
    expect(await callsIn([OUTSIDE])).toEqual([
      {
        target: { to: USER_ACCOUNT, entrypoint: selectorOf('execute_from_outside_v2') },
        calldata: PAYLOAD.outsideExecution?.calldata,
      },
    ]);
  });
});

describe('withPrivateActionsJoined', () => {
  it('returns the payload of any transaction that the signer sends, without facts and proof', () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const poolFee =
          payload.poolFee === null
            ? null
            : { token: STRK, amountFri: BigInt.asUintN(128, payload.poolFee.amountFri) | 1n };
        const stated = { ...payload, poolFee, facts: Felts.of([]), proof: new Uint8Array() };
        const calls = callsOf(stated).map(({ contractAddress, entrypoint, calldata }) => ({
          target: { to: contractAddress, entrypoint },
          calldata: Felts.parse(calldata),
        }));
        const [joined, ...more] = withPrivateActionsJoined(calls, STRK);
        expect(more).toEqual([]);
        expect(joined?.target).toEqual(APPLY_ACTIONS);
        expect(joined?.calldata.equals(packPayload(stated))).toBe(true);
      }),
    );
  });
});
