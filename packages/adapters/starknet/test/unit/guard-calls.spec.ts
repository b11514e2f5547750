import { describe, expect, it } from '@jest/globals';
import { GuardCalls, selectorOf } from '@sotto/adapter-starknet';
import { Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import { withdrawal as vector } from '../support/withdrawal.js';

const { root, nullifierHash } = vector;
const GUARD = toFelt('0x9a2d');
const POOL = toFelt('0x7a11');
const TOKEN = toFelt('0x70');
const DEPOSITOR = 0xdee9n;
const guards = new GuardCalls({
  guard: GUARD,
  entrypoints: { isKnownRoot: 'has_root', isSpent: 'is_spent' },
  swapPool: null,
  depositTokens: new Map([[POOL, TOKEN]]),
});
const withdrawal = {
  target: { to: POOL, entrypoint: 'withdraw' },
  calldata: vector.calldata,
};
const deposit = {
  target: { to: POOL, entrypoint: 'deposit' },
  calldata: Felts.of([7n, 0n, DEPOSITOR]),
};
const numberOf = (text: string): bigint => BigInt(text);
const found = <T>(value: T | null): T => {
  if (value === null) throw new Error('there is no guard');
  return value;
};

describe('GuardCalls', () => {
  const ofWithdrawal = found(guards.beforeWithdrawal(withdrawal.target, withdrawal.calldata));
  const ofDeposit = found(guards.beforeDeposit(deposit.target, deposit.calldata, 20_000n));

  it('T8 the guard call of a withdrawal checks that the note is unspent and the root is known', () => {
    expect(ofWithdrawal.target).toEqual({ to: GUARD, entrypoint: 'assert_views' });
    const pool = numberOf(POOL);
    const isSpent = [pool, BigInt(selectorOf('is_spent')), 2n, ...u256ToHalves(nullifierHash)];
    const isKnown = [pool, BigInt(selectorOf('has_root')), 2n, ...u256ToHalves(root)];
    expect(ofWithdrawal.calldata.toHex().map(numberOf)).toEqual(
      [2n, isSpent, 1n, 0n, isKnown, 1n, 1n].flat(),
    );
  });

  it('T8 the guard call of a deposit checks the allowance and balance of the depositor', () => {
    expect(ofDeposit.target).toEqual({ to: GUARD, entrypoint: 'assert_floors' });
    const [token, pool] = [TOKEN, POOL].map(numberOf);
    const allowance = [token, BigInt(selectorOf('allowance')), 2n, DEPOSITOR, pool, 20_000n, 0n];
    const balance = [token, BigInt(selectorOf('balanceOf')), 1n, DEPOSITOR, 20_000n, 0n];
    expect(ofDeposit.calldata.toHex().map(numberOf)).toEqual([2n, allowance, balance].flat());
  });

  it('returns no guard call for calls that are neither a withdrawal nor a deposit into a guarded pool', () => {
    const { target, calldata } = withdrawal;
    expect(guards.beforeWithdrawal({ ...target, entrypoint: 'transfer' }, calldata)).toBeNull();
    expect(guards.beforeWithdrawal(target, calldata.slice(0, 9))).toBeNull();
    expect(guards.beforeWithdrawal(deposit.target, deposit.calldata)).toBeNull();
    expect(
      guards.beforeDeposit({ ...deposit.target, to: toFelt('0x7a12') }, deposit.calldata, 1n),
    ).toBeNull();
  });

  it('the first call of a transaction is recognised as a guard call only if it equals the encoded guard call', () => {
    expect(guards.withoutGuard([ofWithdrawal, withdrawal])).toEqual([withdrawal]);
    expect(guards.withoutGuard([ofDeposit, deposit])).toEqual([deposit]);
    const foreign = [
      [withdrawal],
      [ofWithdrawal],
      [withdrawal, ofWithdrawal],
      [ofWithdrawal, deposit],
      [ofDeposit, withdrawal],
      [ofWithdrawal, ofWithdrawal, withdrawal],
      [{ ...ofWithdrawal, target: { ...ofWithdrawal.target, to: POOL } }, withdrawal],
      [{ ...ofWithdrawal, calldata: ofWithdrawal.calldata.slice(0, 8) }, withdrawal],
      [{ ...ofDeposit, calldata: Felts.of([0n]) }, deposit],
    ];
    for (const calls of foreign) expect(guards.withoutGuard(calls)).toEqual(calls);
  });
});
