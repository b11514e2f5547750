import { describe, expect, it } from '@jest/globals';
import { load, problemsOf, withProfile } from './configuration.js';
import { CURATOR_KEY } from '@sotto/process-kit/environment';

const LONG_TOKEN = 'a'.repeat(32);

describe('the configuration of vaults, yields and bridge', () => {
  it.each([
    [
      'a curator who relays',
      { CURATOR_ACCOUNT: JSON.stringify({ address: '0xacc1', privateKey: CURATOR_KEY }) },
      ['CURATOR_ACCOUNT: must be none of RELAY_ACCOUNTS: one account has one sequence of nonces'],
    ],
    [
      'a curator who swaps',
      { CURATOR_ACCOUNT: JSON.stringify({ address: '0x0ACC5', privateKey: CURATOR_KEY }) },
      ['CURATOR_ACCOUNT: must not be SWAP_OWNER_ACCOUNT: one account has one sequence of nonces'],
    ],
    [
      'a curator with a sample key',
      { CURATOR_ACCOUNT: JSON.stringify({ address: '0x1', privateKey: '0x1' }) },
      ['CURATOR_ACCOUNT: a sample key is set here: in production every key must be your own'],
    ],
    [
      'tokens without a curator',
      { CURATOR_ACCOUNT: undefined },
      ['CURATOR_ACCOUNT: is required with CURATOR_API_TOKENS'],
    ],
    [
      'tokens that are no JSON',
      { CURATOR_API_TOKENS: 'marker' },
      ['CURATOR_API_TOKENS: must be JSON: {"name": "token"}'],
    ],
    [
      'tokens without a name',
      { CURATOR_API_TOKENS: '["marker"]' },
      [expect.stringMatching(/^CURATOR_API_TOKENS: must be an object of tokens/)],
    ],
    [
      'a token in the place of a name',
      { CURATOR_API_TOKENS: '{"Marker/token=": "keeper"}' },
      [expect.stringMatching(/^CURATOR_API_TOKENS: must be an object of tokens(?!.*Marker)/)],
    ],
    [
      'a token that HTTP does not carry',
      { CURATOR_API_TOKENS: '{"keeper": "with a space"}' },
      [expect.stringMatching(/^CURATOR_API_TOKENS: must be an object of tokens/)],
    ],
    [
      'no token',
      { CURATOR_API_TOKENS: '{}' },
      ['CURATOR_API_TOKENS: must have at least one token'],
    ],
    [
      'one token under two names',
      { CURATOR_API_TOKENS: JSON.stringify({ a: LONG_TOKEN, b: LONG_TOKEN }) },
      ['CURATOR_API_TOKENS: a token is listed twice'],
    ],
    [
      'short tokens',
      { CURATOR_API_TOKENS: JSON.stringify({ a: LONG_TOKEN, b: LONG_TOKEN.slice(1) }) },
      ['CURATOR_API_TOKENS: must have 32 characters or more in production'],
    ],
    [
      'a short token',
      { CURATOR_API_TOKENS: undefined, CURATOR_API_TOKEN: LONG_TOKEN.slice(1) },
      ['CURATOR_API_TOKEN: must have 32 characters or more in production'],
    ],
    [
      'a token beside others',
      { CURATOR_API_TOKEN: LONG_TOKEN },
      ['CURATOR_API_TOKEN: give either CURATOR_API_TOKEN or CURATOR_API_TOKENS, not both'],
    ],
    [
      'a bridge on plain HTTP',
      { BRIDGE_URL: 'http://bridge.example' },
      ['BRIDGE_URL: must be an https URL in production'],
    ],
    [
      'a bridge of another protocol',
      { BRIDGE_PROTOCOL: 'stargate' },
      ['BRIDGE_PROTOCOL: must be spec or oneclick'],
    ],
    [
      'a token for no bridge',
      { BRIDGE_URL: undefined },
      ['BRIDGE_URL: is required with BRIDGE_API_TOKEN'],
    ],
    [
      'rewards on plain HTTP',
      { REWARDS_URL: 'http://lending.example' },
      ['REWARDS_URL: must be an https URL in production'],
    ],
    [
      'yields without their rewards',
      { REWARDS_URL: undefined },
      ['REWARDS_URL: is required in production, because the network profile has lending pools'],
    ],
  ])('rejects settings of vaults, yields and bridge: %s', (_name, env, expected) => {
    expect(problemsOf(env)).toEqual(expected);
  });

  it('callers can deploy vault funds only if curator tokens and vaults are configured', () => {
    const { curator } = load();
    expect(curator.account?.address).toBe('0xacc7');
    expect(curator.tokens.map(({ name, token }) => [name, token.reveal().length])).toEqual([
      ['keeper', 48],
      ['next', 46],
    ]);
    expect(load({ CURATOR_API_TOKENS: undefined }).curator).toMatchObject({
      account: { address: '0xacc7' },
      tokens: [],
    });
    const none = { CURATOR_ACCOUNT: undefined, CURATOR_API_TOKENS: undefined };
    expect(load(none).curator).toEqual({ account: null, tokens: [] });
    const single = { CURATOR_API_TOKENS: undefined, CURATOR_API_TOKEN_FILE: '/run/token' };
    const [only] = load(single, { '/run/token': `${LONG_TOKEN}\n` }).curator.tokens;
    expect([only?.name, only?.token.reveal()]).toEqual(['default', LONG_TOKEN]);
    expect(problemsOf({}, withProfile({ vaults: undefined }))).toEqual([
      'CURATOR_API_TOKENS: vault deployments need vaults in the network profile',
    ]);
    expect(problemsOf(none, withProfile({ vaults: undefined }))).toEqual([]);
  });

  it('the bridge and the rewards are enabled only if their URLs are set', () => {
    expect(load({ BRIDGE_PROTOCOL: 'oneclick' }).bridge).toMatchObject({ protocol: 'oneclick' });
    expect(load({ BRIDGE_API_TOKEN: undefined }).bridge).toMatchObject({
      protocol: 'spec',
      token: null,
    });
    expect(load({ BRIDGE_URL: undefined, BRIDGE_API_TOKEN: undefined }).bridge).toBeNull();
    expect(load().staking).toMatchObject({
      refreshMs: 10_000,
      maxLendingAgeMs: 600_000,
      minPricePublishers: 4,
    });
    expect(
      load({ REWARDS_URL: undefined }, withProfile({ lendingPools: undefined })).staking.rewardsUrl,
    ).toBeNull();
  });
});
