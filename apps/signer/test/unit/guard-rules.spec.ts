import { describe, expect, it } from '@jest/globals';
import { GuardCalls, selectorOf, type ContractCall } from '@sotto/adapter-starknet';
import { Felts, toFelt } from '@sotto/kernel';
import { EXAMPLE_PROFILE, NetworkProfile, guardedDepositTokens } from '@sotto/network-profile';
import { loadWithdrawalVector } from '@sotto/prover/node';
import { draftPolicy } from '../../src/policy/draft-policy.js';
import { judgeCall } from '../../src/policy/judge.js';
import { Policy } from '../../src/policy/policy.js';

const GUARD = toFelt('0x9a2d');
const RELAY = toFelt('0xacc1');
const vector = await loadWithdrawalVector();
const example = NetworkProfile.parse(EXAMPLE_PROFILE);
const profile: NetworkProfile = {
  ...example,
  guard: { address: GUARD, classHash: toFelt('0xc1a55') },
  pools: example.pools.map((pool) => ({ ...pool, hashesBeforePayment: true })),
};
const draftOf = (network: NetworkProfile, deposits: boolean): Policy =>
  Policy.parse(
    draftPolicy('SN_MAIN', network, {
      relay: [RELAY],
      swapOwner: null,
      curator: null,
      keepers: [],
      treasury: null,
      deposits,
      budget: { perHourFri: '1', perDayFri: '2' },
      recipientGasPerHourFri: 0n,
      poolFeesPerHourFri: 0n,
      topUpPerDayFri: 0n,
      repayPerDay: 0n,
      soldPerDay: new Map(),
    }),
  );
const [pool] = profile.pools.map(({ address }) => address);
const guards = new GuardCalls({
  guard: GUARD,
  entrypoints: profile.entrypoints.pool,
  swapPool: profile.swapPool?.address ?? null,
  depositTokens: guardedDepositTokens(profile),
});

/**
 * Returns the rejection code of a drafted policy for this call. Null if the policy lists the call.
 */
function judged({ target, calldata }: ContractCall, policy: Policy): string | null {
  const [account] = policy.accounts;
  if (account === undefined) throw new Error('the policy has no account');
  const call = { to: target.to, selector: toFelt(selectorOf(target.entrypoint)), calldata };
  try {
    judgeCall(call, account);
    return null;
  } catch (error) {
    return String(Object(error).code);
  }
}
const found = (call: ContractCall | null): ContractCall => {
  if (call === null || pool === undefined) throw new Error('the call has no guard');
  return call;
};
const to = pool ?? toFelt('0x0');
const beforeWithdrawal = found(
  guards.beforeWithdrawal({ to, entrypoint: 'withdraw' }, Felts.parse(vector.calldata)),
);
const beforeDeposit = found(
  guards.beforeDeposit({ to, entrypoint: 'deposit' }, Felts.of([7n, 0n, 0xdee9n]), 20_000n),
);

describe('rules of a drafted policy for the guard', () => {
  it('a drafted policy accepts the guard calls that the service sends before withdrawals and deposits', () => {
    expect(judged(beforeWithdrawal, draftOf(profile, false))).toBeNull();
    expect(judged(beforeDeposit, draftOf(profile, true))).toBeNull();
  });

  it('a drafted policy rejects guard calls that differ in any fixed felt', () => {
    const policy = draftOf(profile, true);
    const free = { assert_views: [4, 5, 11, 12], assert_floors: [4, 6, 7, 11, 12, 13] };
    for (const call of [beforeWithdrawal, beforeDeposit]) {
      const felts = call.calldata.toHex().map(BigInt);
      const passing = felts.flatMap((felt, index) => {
        const calldata = Felts.of(felts.with(index, felt + 1_000n));
        return judged({ ...call, calldata }, policy) === null ? [index] : [];
      });
      expect(passing).toEqual(Object(free)[call.target.entrypoint]);
      const longer = { ...call, calldata: Felts.of([...felts, 0n]) };
      expect(judged(longer, policy)).toBe('SIGNER_REFUSED_ARGUMENT');
    }
    const transfer = { target: { to: GUARD, entrypoint: 'transfer' }, calldata: Felts.of([1n]) };
    expect(judged(transfer, policy)).toBe('SIGNER_REFUSED_CALL');
  });

  it('a drafted policy has no guard rules if the profile has no guard', () => {
    expect(judged(beforeWithdrawal, draftOf(example, true))).toBe('SIGNER_REFUSED_CALL');
    expect(judged(beforeDeposit, draftOf(profile, false))).toBe('SIGNER_REFUSED_CALL');
  });
});
