import { beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import {
  ANY_CALLER,
  outsideCallsTypedData,
  unpackPayload,
  type SignedOutsideCalls,
} from '../../src/index.js';
import { LANE, aPrivateActionWorld, aRequest } from '../support/private-action-world.js';
import { NOW_MS } from '../support/world.js';

let world = aPrivateActionWorld();
beforeEach(() => {
  world = aPrivateActionWorld();
});

const NOW_SECONDS = BigInt(NOW_MS / 1_000);
const someCalls = (changes: Partial<SignedOutsideCalls> = {}): SignedOutsideCalls => ({
  account: toFelt('0x5e7'),
  caller: ANY_CALLER,
  nonce: toFelt('0x77'),
  executeAfter: NOW_SECONDS - 60n,
  executeBefore: NOW_SECONDS + 600n,
  calls: [{ to: toFelt('0x70'), selector: toFelt('0xa9'), calldata: Felts.of([1n, 2n, 3n]) }],
  signature: Felts.of([8n, 9n]),
  ...changes,
});
const submit = (changes: Partial<SignedOutsideCalls> = {}) =>
  world.submit(aRequest({}, { outsideCalls: someCalls(changes) }));

describe('calls of the user’s account before private actions', () => {
  it('the transaction contains the calls with their signature', async () => {
    await submit();
    const [accepted] = world.submissions.accepted;
    const payload = unpackPayload(accepted?.calldata ?? Felts.of([]));
    expect(payload?.outsideExecution?.account).toBe('0x5e7');
    expect(payload?.outsideExecution?.calldata.toHex()).toEqual(
      Felts.of([
        BigInt(ANY_CALLER),
        0x77n,
        NOW_SECONDS - 60n,
        NOW_SECONDS + 600n,
        1n,
        0x70n,
        0xa9n,
        3n,
        1n,
        2n,
        3n,
        2n,
        8n,
        9n,
      ]).toHex(),
    );
  });

  it('the transaction is sent in time', async () => {
    await submit();
    expect(world.submissions.accepted[0]?.sendWithinMs).toBe(540_000);
  });

  it.each([
    ['another caller', { caller: toFelt('0x1') }, 'CALLER'],
    ['an account of the service', { account: LANE }, 'ACCOUNT'],
    ['no calls', { calls: [] }, 'NO_CALLS'],
    ['a time that has not come', { executeAfter: NOW_SECONDS }, 'NOT_YET'],
    ['too little time', { executeBefore: NOW_SECONDS + 119n }, 'EXPIRES'],
  ] as const)('rejects calls with %s', async (_what, changes, reason) => {
    await expect(submit(changes)).rejects.toMatchObject({
      code: 'OUTSIDE_EXECUTION_INVALID',
      details: { reason },
    });
    expect(world.simulator.simulated).toEqual([]);
  });

  it('limits the size of the calls', async () => {
    const calldata = Felts.of(Array.from({ length: 4_800 }, () => 1n));
    await expect(
      submit({ calls: [{ to: toFelt('0x70'), selector: toFelt('0xa9'), calldata }] }),
    ).rejects.toMatchObject({ code: 'PRIVATE_ACTIONS_TOO_LARGE' });
  });

  it('newly signed calls with the same actions get the same submission', async () => {
    const first = await submit();
    expect((await submit({ nonce: toFelt('0x78') })).submissionId).toBe(first.submissionId);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('outsideCallsTypedData names chain, caller, times and calls', () => {
    expect(outsideCallsTypedData(someCalls(), toFelt('0x534e'))).toMatchObject({
      primaryType: 'OutsideExecution',
      domain: { name: 'Account.execute_from_outside', version: '2', chainId: '0x534e' },
      message: {
        Caller: ANY_CALLER,
        Nonce: '0x77',
        Calls: [{ To: '0x70', Selector: '0xa9', Calldata: ['0x1', '0x2', '0x3'] }],
      },
    });
  });
});
