import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_PROFILE, NetworkProfile, repeatedAddresses } from '../../src/index.js';

function problemsOf(profile: unknown): string[] {
  const { error } = NetworkProfile.safeParse(profile);
  const issues = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return [...issues, ...repeatedAddresses(profile)];
}

const secondPool = { ...EXAMPLE_PROFILE.lendingPools[0], address: '0x6003', vaultToken: '0x6004' };

describe('NetworkProfile', () => {
  it('T8 a profile has no guard by default; a guard needs a class hash and an address that no pool has', () => {
    expect(NetworkProfile.parse(EXAMPLE_PROFILE).guard).toBeUndefined();
    const guard = { address: '0x9a2d', classHash: '0xc1a55' };
    expect(problemsOf({ ...EXAMPLE_PROFILE, guard })).toEqual([]);
    expect(problemsOf({ ...EXAMPLE_PROFILE, guard: { address: guard.address } })).toEqual([
      expect.stringMatching(/^guard\.classHash: /),
    ]);
    const address = EXAMPLE_PROFILE.pools[0]?.address;
    expect(problemsOf({ ...EXAMPLE_PROFILE, guard: { ...guard, address } })).toEqual([
      'guard.address: is the address of pools[0].address already',
    ]);
  });

  it('returns all addresses of a profile in canonical spelling', () => {
    const { pools } = NetworkProfile.parse({
      ...EXAMPLE_PROFILE,
      pools: [{ ...EXAMPLE_PROFILE.pools[0], address: '0x000ABC' }],
    });
    expect(pools[0]?.address).toBe('0xabc');
  });

  it.each([[null], [[]], ['text']])('rejects %j because a profile must be an object', (profile) => {
    expect(problemsOf(profile)).toEqual([expect.stringContaining('expected object')]);
  });

  it('reports all problems of a profile at once', () => {
    const { tokens, pools, vaults } = EXAMPLE_PROFILE;
    expect(
      problemsOf({
        ...EXAMPLE_PROFILE,
        chainId: 'main',
        tokens: { ...tokens, ETH: { ...tokens.ETH, address: '0x02001' } },
        pools: [{ ...pools[0], kind: 'v3' }, pools[1], { ...pools[1], key: 'again' }],
        swapPool: { ...EXAMPLE_PROFILE.swapPool, routers: [] },
        vaults: [
          vaults[0],
          { ...vaults[0], address: '0x5004' },
          { ...vaults[0], id: 'turbo', address: '0x5003', calldata: [1] },
        ],
        routers: [],
      }),
    ).toEqual([
      'chainId: must be a chain id such as SN_MAIN',
      'pools.0.kind: must be withdraw, swap_input or stable',
      expect.stringMatching(/^swapPool\.routers: /),
      'vaults.2.calldata: must contain "amount"',
      expect.stringContaining('routers'),
      'oracle.address: is the address of tokens.ETH.address already',
      'pools[2].address: is the address of pools[1].address already',
    ]);
  });

  it.each([
    [
      'the address zero',
      { oracle: { ...EXAMPLE_PROFILE.oracle, address: '0x0' } },
      /^oracle\.address: must be an address/,
    ],
    [
      'a router that is a pool',
      { swapPool: { ...EXAMPLE_PROFILE.swapPool, routers: ['0x03001'] } },
      /^swapPool\.routers\[0\]: is the address of pools\[0\]/,
    ],
    [
      'the price of an unknown token',
      { oracle: { ...EXAMPLE_PROFILE.oracle, pairs: { DAI: 'DAI/USD' } } },
      /not in tokens$/,
    ],
    [
      'an unknown output token',
      { swapPool: { ...EXAMPLE_PROFILE.swapPool, outputTokens: ['DAI'] } },
      /not in tokens$/,
    ],
    [
      'a vault that is not the interface’s',
      { vaults: [{ ...EXAMPLE_PROFILE.vaults[0], id: 'fortress' }] },
      /^vaults\.0\.id: must be one of/,
    ],
    [
      'a risk of 6',
      { lendingPools: [{ ...EXAMPLE_PROFILE.lendingPools[0], risk: { label: 'High', level: 6 } }] },
      /risk\.level: must be a/,
    ],
    [
      'one slug twice',
      { lendingPools: [EXAMPLE_PROFILE.lendingPools[0], secondPool] },
      /^lendingPools: a slug/,
    ],
    [
      'one vault id twice',
      { vaults: [EXAMPLE_PROFILE.vaults[0], { ...EXAMPLE_PROFILE.vaults[0], address: '0x5002' }] },
      /^vaults: an id/,
    ],
    [
      'one key twice',
      { pools: [EXAMPLE_PROFILE.pools[0], { ...EXAMPLE_PROFILE.pools[0], address: '0x3009' }] },
      /^pools: a key/,
    ],
    [
      'no USDC',
      { tokens: { STRK: EXAMPLE_PROFILE.tokens.STRK, WBTC: EXAMPLE_PROFILE.tokens.WBTC } },
      /^tokens\.USDC: /,
    ],
    [
      'gas of nothing',
      { limits: { withdrawL2Gas: 0 } },
      /^limits\.withdrawL2Gas: must be above 0$/,
    ],
    [
      'a batch of half a deposit',
      { pools: [{ ...EXAMPLE_PROFILE.pools[0], batchSizes: [1.5] }] },
      /^pools\.0\.batchSizes\.0: /,
    ],
    ['a misspelt field', { limit: {} }, /limit/],
  ])('rejects a profile with %s', (_name, change, problem) => {
    const [first] = problemsOf({ ...EXAMPLE_PROFILE, ...change });
    expect(first).toMatch(problem);
  });
});
