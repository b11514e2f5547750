import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { sandboxWorld, type SandboxToken } from '@sotto/sandbox';
import { NetworkProfile } from '../../src/config/network-profile.js';
import { repeatedAddresses } from '../../src/config/repeated-addresses.js';
import { EXAMPLE_PROFILE } from '../../src/documentation/network-profiles.js';

const shipped = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../profiles/${name}.json`, import.meta.url), 'utf8'));

const listed = ({ address, decimals }: SandboxToken): object => ({
  address: toFelt(address),
  decimals,
});

function problemsOf(profile: unknown): string[] {
  const { error } = NetworkProfile.safeParse(profile);
  const issues = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return [...issues, ...repeatedAddresses(profile)];
}

describe('the shipped profiles', () => {
  it.each(['mainnet', 'sandbox'])('%s has not a domain error', (name) => {
    expect(problemsOf(shipped(name))).toEqual([]);
  });

  it('mainnet has everything of the protocol, and no verification key', () => {
    const { pools, vaults, lendingPools, swapPool, verificationKey, limits } = NetworkProfile.parse(
      shipped('mainnet'),
    );
    const kinds = pools.map(({ kind }) => kind);
    expect(
      ['withdraw', 'stable', 'swap_input'].map(
        (kind) => kinds.filter((other) => other === kind).length,
      ),
    ).toEqual([8, 4, 4]);
    expect(vaults.map(({ id, entrypoint }) => [id, entrypoint])).toEqual([
      ['sentinel', 'deploy_to_vesu'],
      ['citadel', 'stake_to_endur'],
      ['trident', 'execute_staking_loop'],
      ['delta_neutral', 'deploy_collateral'],
      ['turbo', 'deploy_to_vesu'],
      ['apex', 'deploy_split'],
    ]);
    expect(vaults[2]?.calldata).toEqual(['amount', 3]);
    expect(lendingPools.map(({ slug, risk }) => [slug, risk])).toEqual([
      ['prime', { label: 'Low', level: 1 }],
      ['partner-xbtc', { label: 'Low-Medium', level: 2 }],
    ]);
    expect(swapPool).toMatchObject({ outputTokens: ['ETH', 'USDC', 'STRK'], branchRoutes: false });
    expect(verificationKey).toBeUndefined();
    expect(limits).toMatchObject({
      // Where estimates start, until receipts are there: with a real verifier the specification's
      // 35 M pay for no withdrawal (docs/measured/gas.md).
      withdrawL2Gas: 60_000_000n,
      depositL2Gas: 800_000n,
      deployBatchL2Gas: 1_200_000n,
      privateSwapL2Gas: 65_000_000n,
      withdrawalBounds: {
        l2Gas: 1_200_000_000n,
        priceMultiplier: 3n,
        l1Gas: 256n,
        l1DataGas: 20_480n,
      },
    });
  });

  it('sandbox describes the sandbox', () => {
    const profile = NetworkProfile.parse(shipped('sandbox'));
    const { chainId, tokens, oracle, pools, swapPool, router, vaults, lendingPools, verifier } =
      sandboxWorld;
    expect(profile.chainId).toBe(toFelt(`0x${Buffer.from(chainId).toString('hex')}`));
    expect(profile.tokens).toEqual(
      Object.fromEntries(Object.entries(tokens).map(([symbol, token]) => [symbol, listed(token)])),
    );
    expect(profile.oracle.address).toBe(toFelt(oracle));
    expect(
      profile.pools.map(({ key, address, token }) => [key, address, profile.tokens[token].address]),
    ).toEqual(
      Object.entries(pools).map(([key, pool]) => [key, toFelt(pool.address), toFelt(pool.token)]),
    );
    expect(profile.swapPool).toMatchObject({
      address: toFelt(swapPool.address),
      routers: [toFelt(router)],
      verifier: toFelt(verifier),
    });
    expect([...new Set(profile.pools.map((pool) => pool.verifier))]).toEqual([toFelt(verifier)]);
    // The methods are those of the specification, so none is named.
    expect(profile.vaults).toEqual(
      Object.entries(vaults).map(([id, { address }]) => ({ id, address: toFelt(address) })),
    );
    expect(
      profile.lendingPools.map(({ address, vaultToken, vaultTokenSymbol }) => [
        address,
        vaultToken,
        vaultTokenSymbol,
      ]),
    ).toEqual(
      Object.values(lendingPools).map(({ address, vaultToken }) => [
        toFelt(address),
        toFelt(vaultToken.address),
        vaultToken.symbol,
      ]),
    );
  });
});

const secondPool = { ...EXAMPLE_PROFILE.lendingPools[0], address: '0x6003', vaultToken: '0x6004' };

describe('a profile', () => {
  it('gives addresses in one spelling', () => {
    const { pools } = NetworkProfile.parse({
      ...EXAMPLE_PROFILE,
      pools: [{ ...EXAMPLE_PROFILE.pools[0], address: '0x000ABC' }],
    });
    expect(pools[0]?.address).toBe('0xabc');
  });

  it('hears of every problem at once', () => {
    const { tokens, pools, vaults } = EXAMPLE_PROFILE;
    expect(
      problemsOf({
        ...EXAMPLE_PROFILE,
        chainId: 'main',
        tokens: { ...tokens, ETH: { ...tokens.ETH, address: '0x02001' } },
        pools: [{ ...pools[0], kind: 'v3' }, pools[1], { ...pools[1], key: 'again' }],
        swapPool: { ...EXAMPLE_PROFILE.swapPool, routers: [] },
        vaults: [
          ...vaults,
          { ...vaults[0], address: '0x5002' },
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
      'the price of a token that it does not name',
      { oracle: { ...EXAMPLE_PROFILE.oracle, pairs: { DAI: 'DAI/USD' } } },
      /not in tokens$/,
    ],
    [
      'an output token that it does not name',
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
  ])('may not have %s', (_name, change, problem) => {
    const [first] = problemsOf({ ...EXAMPLE_PROFILE, ...change });
    expect(first).toMatch(problem);
  });
});
