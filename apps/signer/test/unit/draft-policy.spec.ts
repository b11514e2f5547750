import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { EXAMPLE_PROFILE, NetworkProfile } from '@sotto/network-profile';
import { draftPolicy, type Roles } from '../../src/policy/draft-policy.js';
import { Policy } from '../../src/policy/policy.js';

const [RELAY, OTHER, OWNER, CURATOR, KEEPER, TREASURY] = [1, 2, 3, 4, 5, 6].map((index) =>
  toFelt(BigInt(0xacc0 + index)),
);
const given = (address: typeof RELAY) => {
  if (address === undefined) throw new Error('a role without an account');
  return address;
};
const ROLES: Roles = {
  relay: [given(RELAY), given(OTHER)],
  swapOwner: given(OWNER),
  curator: given(CURATOR),
  keepers: [given(KEEPER)],
  treasury: given(TREASURY),
  deposits: false,
  budget: { perHourFri: '1', perDayFri: '2' },
  recipientGasPerHourFri: 8n,
  poolFeesPerHourFri: 9n,
  topUpPerDayFri: 5n,
  repayPerDay: 6n,
  soldPerDay: new Map([['WBTC', 7n]]),
};
const profile = NetworkProfile.parse(EXAMPLE_PROFILE);
const draft = (roles: Partial<Roles> = {}): Policy =>
  Policy.parse(draftPolicy('SN_MAIN', profile, { ...ROLES, ...roles }));
const entrypointsOf = (policy: Policy, address: typeof RELAY): readonly string[] =>
  [
    ...new Set(
      policy.accounts
        .find((account) => account.address === address)
        ?.calls.map(({ entrypoint }) => entrypoint),
    ),
  ].toSorted();

describe('a draft', () => {
  it('a drafted policy is valid, and lists exactly the calls of each role', () => {
    const policy = draft();
    expect(entrypointsOf(policy, RELAY)).toEqual([
      'apply_actions',
      'deploy_batch',
      'deploy_partial_batch',
      'withdraw',
    ]);
    expect(entrypointsOf(policy, OWNER)).toEqual(['private_swap']);
    expect(entrypointsOf(policy, TREASURY)).toEqual(
      expect.arrayContaining(['approve', 'multi_route_swap', 'transfer']),
    );
    expect(policy.accounts.map(({ messages }) => messages.length)).toEqual([2, 0, 0, 0, 0, 0]);
  });

  it('a drafted policy limits the STRK for recipients, or permits none', () => {
    expect(draft().recipientGas).toEqual({
      token: profile.tokens.STRK.address,
      most: 10n ** 18n,
      perHourFri: 8n,
    });
    expect(draft({ recipientGasPerHourFri: 0n })).not.toHaveProperty('recipientGas');
  });

  it('a drafted policy permits private actions only on the pool of the profile', () => {
    const { privacyPool, tokens } = profile;
    expect(draft().privateActions).toEqual({
      pool: privacyPool?.address,
      token: tokens.STRK.address,
      most: 9n,
      perHourFri: 9n,
      outsideExecutions: true,
    });
    expect(draft({ poolFeesPerHourFri: 10n ** 21n }).privateActions).toMatchObject({
      most: privacyPool?.maxPoolFeeFri,
      perHourFri: 10n ** 21n,
    });
    const { privacyPool: _none, ...without } = profile;
    const policy = Policy.parse(draftPolicy('SN_MAIN', without, ROLES));
    expect(policy).not.toHaveProperty('privateActions');
    expect(entrypointsOf(policy, RELAY)).not.toContain('apply_actions');
  });

  it('a drafted policy allows the treasury to pay only the policy’s accounts', () => {
    const treasury = draft().accounts.at(-1);
    const rule = (entrypoint: string) =>
      treasury?.calls.find((each) => each.entrypoint === entrypoint);
    expect([...(rule('transfer')?.arguments.get(0) ?? [])]).toEqual([
      RELAY,
      OTHER,
      OWNER,
      CURATOR,
      KEEPER,
    ]);
    expect([...(rule('multi_route_swap')?.arguments.get(8) ?? [])]).toEqual([TREASURY]);
    expect(rule('multi_route_swap')?.amount).toEqual({ at: 1, most: 7n, perDay: 7n });
  });

  it('a drafted policy lists deposits only if they are requested', () => {
    expect(entrypointsOf(draft({ deposits: true }), RELAY)).toContain('deposit');
  });

  it('a drafted policy omits roles without an account', () => {
    const none = { swapOwner: null, curator: null, keepers: [], treasury: null };
    expect(draft(none).accounts).toHaveLength(2);
  });
});
