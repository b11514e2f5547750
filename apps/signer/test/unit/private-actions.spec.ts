import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldKeys, RemoteKeys, StarknetAccountSigner } from '@sotto/adapter-starknet';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { packPayload, type PrivateActionPayload } from '@sotto/relayer-core';
import { hash } from 'starknet';
import { Policy, type PolicyFile } from '../../src/policy/policy.js';
import {
  BOUNDS,
  CHAIN_ID,
  ONE,
  POLICY,
  POOL,
  STRANGER,
  STRK,
  SignerUnderTest,
  TWO,
  type Answer,
} from '../support/signer-under-test.js';

const PRIVACY_POOL = toFelt('0x8001');
const USER = toFelt('0x05e4');
const FACTS = ['0x50524f4f4630', '0x2', '0x3'];

/** Policy in which an account may approve 40 fri to the pool, and all accounts 100 an hour. */
const PRIVATE: PolicyFile = {
  ...POLICY,
  budget: { perHourFri: '100000', perDayFri: '300000' },
  privateActions: {
    pool: PRIVACY_POOL,
    token: STRK,
    most: '40',
    perHourFri: '100',
    outsideExecutions: true,
  },
  accounts: [ONE, TWO].map(({ address }) => ({
    address,
    calls: [
      { contract: POOL, entrypoint: 'withdraw', opaque: true },
      { contract: PRIVACY_POOL, entrypoint: 'apply_actions', opaque: true },
    ],
    bounds: BOUNDS,
  })),
};

const call = (to: string, entrypoint: string, calldata: readonly string[] = []): string[] => [
  to,
  toFelt(hash.getSelectorFromName(entrypoint)),
  toFelt(BigInt(calldata.length)),
  ...calldata,
];
const apply = (pool: string = PRIVACY_POOL): string[] =>
  call(pool, 'apply_actions', ['0x0', '0x1']);
const approve = (amount: bigint, to: string = PRIVACY_POOL, high = '0x0'): string[] =>
  call(STRK, 'approve', [to, toFelt(amount), high]);
const outside = (account: string = USER): string[] =>
  call(account, 'execute_from_outside_v2', ['0x1', '0x2']);
const codeOf = async (answer: Promise<Answer>): Promise<unknown> => {
  const { status, body } = await answer;
  return status === 200 ? null : Object(body).code;
};
const bound = { max_amount: '0x1', max_price_per_unit: '0x1' };
let nonce = 0n;

const request = (
  calls: readonly string[][],
  {
    sender = ONE.address,
    at = (nonce += 1n),
    facts = FACTS,
    ...more
  }: { sender?: Felt; at?: bigint; facts?: readonly string[] | null; proof?: string } = {},
): string =>
  JSON.stringify({
    chain_id: CHAIN_ID,
    transaction: {
      type: 'INVOKE',
      version: '0x3',
      sender_address: sender,
      signature: [],
      nonce: toFelt(at),
      resource_bounds: { l1_gas: bound, l1_data_gas: bound, l2_gas: bound },
      tip: '0x0',
      paymaster_data: [],
      account_deployment_data: [],
      nonce_data_availability_mode: 'L1',
      fee_data_availability_mode: 'L1',
      calldata: [toFelt(BigInt(calls.length)), ...calls.flat()],
      ...(facts === null ? {} : { proof_facts: facts }),
      ...more,
    },
  });

describe('a policy that permits private actions', () => {
  let signer: SignerUnderTest;
  beforeEach(async () => {
    signer = await SignerUnderTest.start({ policy: PRIVATE });
  });
  afterEach(() => signer.stop());
  const invoke = (...parts: Parameters<typeof request>): Promise<Answer> =>
    signer.post('/v1/sign/invoke', request(...parts));

  const hashOf = async (facts: readonly string[] | null): Promise<unknown> =>
    Object((await invoke([apply()], { facts, at: 91_000n })).body).hash;

  it.each([
    ['alone', [apply()]],
    ['with an approval', [approve(40n), apply()]],
    ['with an outside execution', [outside(), apply()]],
    ['with both', [outside(), approve(1n), apply()]],
  ])('the signer signs private actions %s', async (_what, calls) => {
    expect(await codeOf(invoke(calls))).toBeNull();
    expect(await codeOf(invoke(calls, { facts: null }))).toBeNull();
  });

  it.each([
    ['an approval to another spender', [approve(1n, STRANGER), apply()], 'ARGUMENT'],
    ['an approval to its own account', [approve(1n, ONE.address), apply()], 'ARGUMENT'],
    ['an approval of nothing', [approve(0n), apply()], 'ARGUMENT'],
    ['an approval above the maximum', [approve(41n), apply()], 'AMOUNT'],
    ['an approval with a high half', [approve(1n, PRIVACY_POOL, '0x1'), apply()], 'AMOUNT'],
    [
      'an approval with a further felt',
      [call(STRK, 'approve', [PRIVACY_POOL, '0x1', '0x0', '0x0']), apply()],
      'ARGUMENT',
    ],
    ['an approval alone', [approve(1n)], 'CALL'],
    ['an approval after the actions', [apply(), approve(1n)], 'CALL'],
    ['two approvals', [approve(1n), approve(1n), apply()], 'CALL'],
    ['an approval beside a withdrawal', [approve(1n), call(POOL, 'withdraw', ['0x1'])], 'CALL'],
    [
      'an approval of another token',
      [call(STRANGER, 'approve', [PRIVACY_POOL, '0x1', '0x0']), apply()],
      'CALL',
    ],
    [
      'a transfer instead of the approval',
      [call(STRK, 'transfer', [PRIVACY_POOL, '0x1', '0x0']), apply()],
      'CALL',
    ],
    [
      'a larger allowance instead of the approval',
      [call(STRK, 'increase_allowance', [PRIVACY_POOL, '0x1', '0x0']), apply()],
      'CALL',
    ],
    ['an approval before the outside execution', [approve(1n), outside(), apply()], 'CALL'],
    ['an outside execution alone', [outside()], 'CALL'],
    [
      'an outside execution beside a withdrawal',
      [outside(), call(POOL, 'withdraw', ['0x1'])],
      'CALL',
    ],
    ['an outside execution after the actions', [apply(), outside()], 'CALL'],
    ['two outside executions', [outside(), outside(), apply()], 'CALL'],
    ['an outside execution of an account of the policy', [outside(TWO.address), apply()], 'CALL'],
    ['an outside execution of the pool', [outside(PRIVACY_POOL), apply()], 'CALL'],
    ['an outside execution of the token', [outside(STRK), apply()], 'CALL'],
    [
      'another entry point of the user’s account',
      [call(USER, '__execute__', ['0x0']), apply()],
      'CALL',
    ],
    ['the older outside execution', [call(USER, 'execute_from_outside', ['0x1']), apply()], 'CALL'],
    ['another entry point of the pool', [call(PRIVACY_POOL, 'set_fee_amount', ['0x1'])], 'CALL'],
    ['actions on another pool', [apply(STRANGER)], 'CALL'],
    ['an approval before actions on another pool', [approve(1n), apply(STRANGER)], 'CALL'],
    ['actions twice', [apply(), apply()], 'CALL'],
    ['a withdrawal before the actions', [call(POOL, 'withdraw', ['0x1']), apply()], 'CALL'],
  ])('the signer rejects %s', async (_what, calls, code) => {
    expect(await codeOf(invoke(calls))).toBe(`SIGNER_REFUSED_${code}`);
  });

  it('the signer rejects proof facts in transactions without private actions', async () => {
    expect(await codeOf(invoke([call(POOL, 'withdraw', ['0x1'])]))).toBe('SIGNER_REFUSED_TERMS');
    expect(await codeOf(invoke([]))).toBe('SIGNER_REFUSED_TERMS');
    expect(await codeOf(invoke([], { facts: null }))).toBeNull();
  });

  it.each([
    ['an empty list', []],
    ['a leading zero', ['0x01']],
    ['capitals', ['0xAB']],
    ['a value outside the field', [`0x8${'0'.repeat(63)}`]],
    ['a decimal', ['12']],
    ['too many felts', Array.from({ length: 65 }, () => '0x1')],
  ])('the signer rejects proof facts with %s', async (_what, facts) => {
    expect(await codeOf(invoke([apply()], { facts }))).toBe('SIGNER_REQUEST_INVALID');
  });

  it('the signer rejects a request that contains the proof', async () => {
    expect(await codeOf(invoke([apply()], { proof: 'AAAA' }))).toBe('SIGNER_REQUEST_INVALID');
  });

  it('the policy limits the approvals of all accounts in an hour, also after a restart', async () => {
    expect(await codeOf(invoke([approve(40n), apply()]))).toBeNull();
    expect(await codeOf(invoke([approve(40n), apply()], { sender: TWO.address }))).toBeNull();
    await signer.restart();
    expect(await codeOf(invoke([approve(21n), apply()]))).toBe('SIGNER_REFUSED_BUDGET');
    expect(await codeOf(invoke([approve(20n), apply()]))).toBeNull();
    expect(await codeOf(invoke([apply()]))).toBeNull();
  });

  it('the book counts the approval of one nonce once', async () => {
    for (let price = 0; price < 4; price += 1)
      expect(await codeOf(invoke([approve(40n), apply()], { at: 90_000n }))).toBeNull();
    expect(await codeOf(invoke([approve(40n), apply()]))).toBeNull();
    expect(await codeOf(invoke([approve(40n), apply()]))).toBe('SIGNER_REFUSED_BUDGET');
  });

  it('each proof fact changes the signed hash', async () => {
    const hashes = [await hashOf(FACTS), await hashOf(null)];
    for (let index = 0; index < FACTS.length; index += 1)
      hashes.push(await hashOf(FACTS.with(index, '0x99')));
    hashes.push(await hashOf([...FACTS, '0x0']), await hashOf(FACTS.slice(1)));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.every((each) => typeof each === 'string')).toBe(true);
  });
});

describe('a service with keys of a signer', () => {
  const payload: PrivateActionPayload = {
    calldata: Felts.of([0n, 1n]),
    facts: Felts.parse(FACTS),
    proof: Uint8Array.of(1, 2, 3),
    poolFee: { token: STRK, amountFri: 40n },
    outsideExecution: { account: USER, calldata: Felts.of([1n, 2n]) },
  };
  const free = { maxAmount: 1n, maxPriceFri: 1n };
  const signing = {
    account: ONE.address,
    nonce: 92_000n,
    bounds: { l2Gas: free, l1Gas: free, l1DataGas: free, tipFri: 0n },
  };
  const target = { to: PRIVACY_POOL, entrypoint: 'apply_actions' };

  it('the service gets the same bytes for private actions as with keys in its memory', async () => {
    const signer = await SignerUnderTest.start({ policy: PRIVATE });
    const keys = new RemoteKeys({
      url: signer.url,
      tls: null,
      timeoutMs: 60_000,
      chainId: CHAIN_ID,
    });
    const remote = new StarknetAccountSigner({ chainId: CHAIN_ID, keys });
    const held = new StarknetAccountSigner({ chainId: CHAIN_ID, keys: new HeldKeys([ONE]) });
    try {
      const packed = packPayload(payload);
      const signed = await remote.signCall(await remote.hashCall(target, packed), signing);
      expect(signed).toEqual(await held.signCall(await held.hashCall(target, packed), signing));
    } finally {
      await remote.close();
      await held.close();
      keys.close();
      await signer.stop();
    }
  });
});

describe('a policy without private actions', () => {
  it.each([
    ['an approval', [approve(1n), apply()]],
    ['an outside execution', [outside(), apply()]],
  ])('the signer rejects %s before listed actions', async (_what, calls) => {
    const { privateActions: _none, ...plain } = PRIVATE;
    const signer = await SignerUnderTest.start({ policy: plain });
    try {
      expect(await codeOf(signer.post('/v1/sign/invoke', request(calls)))).toBe(
        'SIGNER_REFUSED_CALL',
      );
      expect(await codeOf(signer.post('/v1/sign/invoke', request([apply()])))).toBeNull();
    } finally {
      await signer.stop();
    }
  });

  it('the signer rejects outside executions if the policy forbids them', async () => {
    const { privateActions } = PRIVATE;
    if (privateActions === undefined) throw new Error('the policy has no private actions');
    const policy = { ...PRIVATE, privateActions: { ...privateActions, outsideExecutions: false } };
    const signer = await SignerUnderTest.start({ policy });
    try {
      const post = (calls: readonly string[][]): Promise<unknown> =>
        codeOf(signer.post('/v1/sign/invoke', request(calls)));
      expect(await post([outside(), apply()])).toBe('SIGNER_REFUSED_CALL');
      expect(await post([approve(1n), apply()])).toBeNull();
    } finally {
      await signer.stop();
    }
  });
});

describe('limits of private actions', () => {
  it.each([
    ['a token with an opaque call', { token: POOL }],
    ['the pool as the token', { token: PRIVACY_POOL }],
    ['an account of the policy as the token', { token: ONE.address }],
    ['an account of the policy as the pool', { pool: ONE.address }],
    ['a negative maximum', { most: '-1' }],
    ['an unknown member', { spenders: [STRANGER] }],
  ])('limits are rejected with %s', (_what, changes) => {
    const privateActions = { ...PRIVATE.privateActions, ...changes };
    expect(Policy.safeParse({ ...PRIVATE, privateActions }).success).toBe(false);
    expect(Policy.safeParse(PRIVATE).success).toBe(true);
  });

  it.each([['execute_from_outside_v2'], ['execute_from_outside']])(
    'no policy lists %s',
    (entrypoint) => {
      const accounts = PRIVATE.accounts.map((account) => ({
        ...account,
        calls: [{ contract: USER, entrypoint, opaque: true as const }],
      }));
      expect(Policy.safeParse({ ...PRIVATE, accounts }).success).toBe(false);
    },
  );
});
