import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardCalls } from '@sotto/adapter-starknet';
import { Felts, toFelt } from '@sotto/kernel';
import { loadWithdrawalVector } from '@sotto/prover/node';
import { readWithdrawalCall } from '@sotto/relayer-core';
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

const GUARD = toFelt('0x9a2d');
const OTHER_POOL = toFelt('0x7a12');
const { calldata: PROOF } = await loadWithdrawalVector();
const read = readWithdrawalCall(Felts.parse(PROOF));
if (read === null) throw new Error('the vector is no withdrawal');
const { recipient: RECIPIENT } = read.statement;

/**
 * Policy in which the first account may give 40 fri per withdrawal, and all accounts 100 an hour.
 */
const GIVING: PolicyFile = {
  ...POLICY,
  budget: { perHourFri: '100000', perDayFri: '300000' },
  recipientGas: { token: STRK, most: '40', perHourFri: '100' },
  accounts: [
    {
      address: ONE.address,
      calls: [
        { contract: POOL, entrypoint: 'withdraw', opaque: true },
        { contract: POOL, entrypoint: 'deploy_batch', felts: 1 },
        { contract: GUARD, entrypoint: 'assert_views', felts: 15, arguments: { '0': ['0x2'] } },
      ],
      bounds: BOUNDS,
    },
    {
      address: TWO.address,
      calls: [{ contract: POOL, entrypoint: 'withdraw', opaque: true }],
      bounds: BOUNDS,
    },
  ],
};

const selector = (name: string): string => toFelt(hash.getSelectorFromName(name));
const call = (to: string, entrypoint: string, calldata: readonly string[] = []): string[] => [
  to,
  selector(entrypoint),
  toFelt(BigInt(calldata.length)),
  ...calldata,
];
const withdrawal = (pool: string = POOL): string[] => call(pool, 'withdraw', PROOF);
const transfer = (amount: bigint, to: string = RECIPIENT, high = '0x0'): string[] =>
  call(STRK, 'transfer', [to, toFelt(amount), high]);
const guard = (): string[] => {
  const views = new GuardCalls({
    guard: GUARD,
    entrypoints: { isKnownRoot: 'is_known_root', isSpent: 'is_spent' },
    swapPool: null,
    depositTokens: new Map(),
  }).beforeWithdrawal({ to: POOL, entrypoint: 'withdraw' }, Felts.parse(PROOF));
  if (views === null) throw new Error('a withdrawal has no guard');
  return call(GUARD, 'assert_views', views.calldata.toHex());
};
const codeOf = async (answer: Promise<Answer>): Promise<unknown> => {
  const { status, body } = await answer;
  return status === 200 ? null : Object(body).code;
};
const bound = { max_amount: '0x1', max_price_per_unit: '0x1' };

describe('a policy that permits STRK for the recipients of withdrawals', () => {
  let signer: SignerUnderTest;
  let nonce = 0n;
  beforeEach(async () => {
    signer = await SignerUnderTest.start({ policy: GIVING });
  });
  afterEach(() => signer.stop());

  const invoke = (
    calls: readonly string[][],
    { sender = ONE.address, at = (nonce += 1n) } = {},
  ): Promise<Answer> =>
    signer.post(
      '/v1/sign/invoke',
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
        },
      }),
    );

  it('the signer signs a withdrawal with a transfer to its recipient, with and without the guard', async () => {
    expect(await codeOf(invoke([withdrawal(), transfer(40n)]))).toBeNull();
    expect(await codeOf(invoke([guard(), withdrawal(), transfer(40n)]))).toBeNull();
  });

  it.each([
    ['to another address', [withdrawal(), transfer(1n, STRANGER)], 'ARGUMENT'],
    ['to its own account', [withdrawal(), transfer(1n, ONE.address)], 'ARGUMENT'],
    ['of nothing', [withdrawal(), transfer(0n)], 'ARGUMENT'],
    ['above the maximum', [withdrawal(), transfer(41n)], 'AMOUNT'],
    ['with a high half', [withdrawal(), transfer(1n, RECIPIENT, '0x1')], 'AMOUNT'],
    [
      'with a further felt',
      [withdrawal(), call(STRK, 'transfer', [RECIPIENT, '0x1', '0x0', '0x0'])],
      'ARGUMENT',
    ],
    ['without a withdrawal', [transfer(1n)], 'CALL'],
    ['before its withdrawal', [transfer(1n), withdrawal()], 'CALL'],
    ['after another listed call', [call(POOL, 'deploy_batch', ['0x3']), transfer(1n)], 'CALL'],
    ['with a second withdrawal', [withdrawal(), withdrawal(), transfer(1n)], 'CALL'],
    ['twice', [withdrawal(), transfer(1n), transfer(1n)], 'CALL'],
    ['with a call after it', [withdrawal(), transfer(1n), withdrawal()], 'CALL'],
    ['with an unlisted pool', [withdrawal(OTHER_POOL), transfer(1n)], 'CALL'],
    ['with two guards', [guard(), guard(), withdrawal(), transfer(1n)], 'CALL'],
    [
      'of another token',
      [withdrawal(), call(STRANGER, 'transfer', [RECIPIENT, '0x1', '0x0'])],
      'CALL',
    ],
    ['as an approval', [withdrawal(), call(STRK, 'approve', [RECIPIENT, '0x1', '0x0'])], 'CALL'],
    [
      'after unreadable calldata',
      [call(POOL, 'withdraw', ['0x1', '0x2']), transfer(1n)],
      'ARGUMENT',
    ],
    [
      'after calldata with trailing felts',
      [call(POOL, 'withdraw', [...PROOF, '0x0']), transfer(1n)],
      'ARGUMENT',
    ],
  ])('the signer signs no transfer %s', async (_what, calls, code) => {
    expect(await codeOf(invoke(calls))).toBe(`SIGNER_REFUSED_${code}`);
  });

  it('the policy limits the amounts of all accounts in an hour, also after a restart', async () => {
    expect(await codeOf(invoke([withdrawal(), transfer(40n)]))).toBeNull();
    expect(await codeOf(invoke([withdrawal(), transfer(40n)], { sender: TWO.address }))).toBeNull();
    await signer.restart();
    expect(await codeOf(invoke([withdrawal(), transfer(21n)]))).toBe('SIGNER_REFUSED_BUDGET');
    expect(await codeOf(invoke([withdrawal(), transfer(20n)]))).toBeNull();
    expect(await codeOf(invoke([withdrawal(), transfer(1n)], { sender: TWO.address }))).toBe(
      'SIGNER_REFUSED_BUDGET',
    );
    // A plain withdrawal needs none of this budget.
    expect(await codeOf(invoke([withdrawal()]))).toBeNull();
  });

  it('the book counts the amount of one nonce once, because only one of its transactions can land', async () => {
    for (let price = 0; price < 4; price += 1)
      expect(await codeOf(invoke([withdrawal(), transfer(40n)], { at: 900n }))).toBeNull();
    expect(await codeOf(invoke([withdrawal(), transfer(40n)]))).toBeNull();
    expect(await codeOf(invoke([withdrawal(), transfer(40n)]))).toBe('SIGNER_REFUSED_BUDGET');
  });
});

describe('a policy without recipientGas', () => {
  it('a policy without recipientGas permits no transfer after a withdrawal', async () => {
    const { recipientGas: _none, ...plain } = GIVING;
    const signer = await SignerUnderTest.start({ policy: plain });
    try {
      const answer = await signer.post(
        '/v1/sign/invoke',
        JSON.stringify({
          chain_id: CHAIN_ID,
          transaction: {
            type: 'INVOKE',
            version: '0x3',
            sender_address: ONE.address,
            signature: [],
            nonce: '0x1',
            resource_bounds: { l1_gas: bound, l1_data_gas: bound, l2_gas: bound },
            tip: '0x0',
            paymaster_data: [],
            account_deployment_data: [],
            nonce_data_availability_mode: 'L1',
            fee_data_availability_mode: 'L1',
            calldata: ['0x2', ...withdrawal(), ...transfer(1n)],
          },
        }),
      );
      expect(Object(answer.body).code).toBe('SIGNER_REFUSED_CALL');
    } finally {
      await signer.stop();
    }
  });
});

describe('limits of STRK for recipients', () => {
  it.each([
    ['a token with an opaque call', { token: POOL, most: '1', perHourFri: '1' }],
    ['an account of the policy as the token', { token: ONE.address, most: '1', perHourFri: '1' }],
    ['no maximum per hour', { token: STRK, most: '1' }],
    ['an unknown member', { token: STRK, most: '1', perHourFri: '1', recipients: [STRANGER] }],
  ])('limits are rejected with %s', (_what, recipientGas) => {
    expect(Policy.safeParse({ ...GIVING, recipientGas }).success).toBe(false);
    expect(Policy.safeParse(GIVING).success).toBe(true);
  });
});
