import { hostname } from 'node:os';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { sandboxWorld } from '@sotto/sandbox';
import { isSampleKey, servedPools } from '@sotto/network-profile';
import { toFelt } from '@sotto/kernel';
import { loadConfig } from '../../src/environment/load-config.js';
import { load, problemsOf, withProfile } from './configuration.js';
import {
  CURATOR_KEY,
  OWN_KEY,
  SWAP_KEY,
  environment,
  files,
  profile,
} from '@sotto/process-kit/environment';

const withoutBigints = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** Profile with one more token, LORDS, which has a price. */
const withLords = {
  tokens: { ...profile.tokens, LORDS: { address: '0x10d5', decimals: 8 } },
  oracle: { ...profile.oracle, pairs: { LORDS: 'LORDS/USD' } },
};
const UNFITTING =
  'NETWORK_PROFILE: pools: swap_input pools hold WBTC, pools of WBTC are not stable, and those of USDC are';

/**
 * Returns the permission bits of a file. Any user can read `/run/token`; other files are protected.
 */
const modeOf = (path: string): number => (path === '/run/token' ? 0o100644 : 0o100640);

describe('loadConfig', () => {
  it('loadConfig returns the settings by area, with default values', () => {
    const settings = load({ INSTANCE_ID: 'sotto-1' });
    expect(settings).toMatchObject({
      mode: 'production',
      http: { host: '127.0.0.1', port: 3000, trustedProxies: 0 },
      relay: { feeAddress: '0xfee', waitForConfirmationMs: 30_000 },
      engine: { instance: 'sotto-1', answerAt: 'preconfirmed', strict: false, crashAt: null },
      network: {
        chainId: toFelt('0x534e5f54455354'),
        pools: [
          {
            key: 'one',
            address: '0xaa1',
            token: 'WBTC',
            kind: 'withdraw',
            batchSizes: [3, 5, 7],
            denominationDivisor: 1,
          },
        ],
        entrypoints: { pool: { maxFee: 'max_fee', isSpent: 'is_spent' } },
      },
    });
    expect(settings.relay.accounts.map(({ privateKey }) => privateKey?.reveal())).toEqual([
      OWN_KEY,
    ]);
  });

  it('each process has a unique instance name by default', () => {
    const [first, second] = [load().engine.instance, load().engine.instance];
    for (const name of [first, second]) {
      expect(name.startsWith(`${hostname()}#${process.pid}-`)).toBe(true);
      expect(name).toMatch(/-[\w-]{8}$/);
    }
    expect(first).not.toBe(second);
  });

  it('loadConfig freezes the settings', () => {
    expect(Object.isFrozen(load().network.pools[0])).toBe(true);
  });

  it('printed settings do not contain secrets', () => {
    const settings = load();
    const printed = [
      inspect(settings, { depth: 20, showHidden: true }),
      JSON.stringify(settings, withoutBigints),
    ];
    for (const text of printed) {
      expect(text).not.toContain(OWN_KEY.slice(2));
      expect(text).not.toContain(SWAP_KEY.slice(2));
      expect(text).not.toContain(CURATOR_KEY.slice(2));
      expect(text).not.toMatch(/marker-/);
    }
  });

  it('loadConfig reads a secret from a file and removes surrounding white space', () => {
    const settings = load(
      {
        RELAY_ACCOUNTS: undefined,
        RELAY_ACCOUNTS_FILE: '/run/accounts',
        STARKNET_RPC_URLS: undefined,
        STARKNET_RPC_URLS_FILE: '/run/url',
      },
      {
        '/run/accounts': `${environment['RELAY_ACCOUNTS'] ?? ''}\n`,
        '/run/url': 'https://other.example/\n',
      },
    );
    expect(settings.relay.accounts).toHaveLength(1);
    expect(settings.node.endpoints[0].url.reveal()).toBe('https://other.example/');
  });

  it('S15: loadConfig lists the secret files that any user of the machine may read', () => {
    const env = {
      ...environment,
      BRIDGE_API_TOKEN: undefined,
      BRIDGE_API_TOKEN_FILE: '/run/token',
      REWARDS_URL: undefined,
      REWARDS_URL_FILE: '/run/url',
    };
    const readFile = files({ '/run/token': 'a-token', '/run/url': 'https://lending.example/' });
    expect(loadConfig({ env, readFile, modeOf }).exposedSecrets).toEqual(['BRIDGE_API_TOKEN_FILE']);
    expect(load().exposedSecrets).toEqual([]);
  });

  it('loadConfig reports every problem at once, in variables, files and rules', () => {
    const problems = problemsOf({
      PORT: '70000',
      ANSWER_AT: 'soon',
      STRICT_REFUSALS: 'yes',
      STARKNET_RPC_URLS: 'http://127.0.0.1:5050',
      FEE_ADDRESS: '',
      RELAY_ACCOUNTS_FILE: '/run/missing',
      NETWORK_PROFILE: '/etc/sotto/none.json',
      SOTTO_FAILPOINT: 'accepted',
    });
    const names = problems.map((problem) => problem.split(':')[0] ?? '');
    expect([...new Set(names)].toSorted()).toEqual([
      'ANSWER_AT',
      'FEE_ADDRESS',
      'NETWORK_PROFILE',
      'PORT',
      'RELAY_ACCOUNTS',
      'RELAY_ACCOUNTS_FILE',
      'SOTTO_FAILPOINT',
      'STARKNET_RPC_URLS',
      'STRICT_REFUSALS',
    ]);
  });

  it.each([
    [
      'nothing at all',
      { NETWORK_PROFILE: undefined, STARKNET_RPC_URLS: undefined, RELAY_ACCOUNTS: undefined },
      [
        'NETWORK_PROFILE: is required',
        'STARKNET_RPC_URLS: is required',
        'RELAY_ACCOUNTS: is required',
      ],
    ],
    [
      'a node on plain HTTP, loopback too',
      { STARKNET_RPC_URLS: 'http://127.0.0.1:5050/rpc' },
      ['STARKNET_RPC_URLS: must be an https URL in production'],
    ],
    [
      'one of several nodes on plain HTTP',
      {
        STARKNET_RPC_URLS: 'https://one.example,two=http://127.0.0.1:5050',
      },
      ['STARKNET_RPC_URLS: must be an https URL in production'],
    ],
    [
      'one node and several',
      {
        STARKNET_RPC_URL: 'https://one.example',
        STARKNET_RPC_URLS: 'https://one.example,https://two.example',
      },
      ['STARKNET_RPC_URL: give either STARKNET_RPC_URL or STARKNET_RPC_URLS, not both'],
    ],
    [
      'a node twice',
      {
        STARKNET_RPC_URLS: 'https://one.example,other=https://one.example',
      },
      ['STARKNET_RPC_URLS: an address is listed twice'],
    ],
    [
      'a name of nodes twice, be it the one of a place',
      {
        STARKNET_RPC_URLS: 'node-1=https://one.example,https://two.example',
      },
      ['STARKNET_RPC_URLS: a name is listed twice'],
    ],
    [
      'a node address that is no URL',
      { STARKNET_RPC_URLS: 'node' },
      ['STARKNET_RPC_URLS[0].url: must be an http or https URL'],
    ],
    [
      'a second price source on plain HTTP',
      { PRICE_API_URL: 'http://prices.example' },
      ['PRICE_API_URL: must be an https URL in production'],
    ],
    [
      'one price source',
      { PRICE_API_URL: undefined },
      ['PRICE_API_URL: is required in production'],
    ],
    [
      'an aggregator on plain HTTP',
      { AGGREGATOR_URL: 'http://swaps.example' },
      ['AGGREGATOR_URL: must be an https URL in production'],
    ],
    [
      'an aggregator without an account',
      { SWAP_OWNER_ACCOUNT: undefined },
      ['SWAP_OWNER_ACCOUNT: is required with AGGREGATOR_URL'],
    ],
    [
      'an account without an aggregator',
      { AGGREGATOR_URL: undefined },
      ['AGGREGATOR_URL: is required with SWAP_OWNER_ACCOUNT'],
    ],
    [
      'an account with two roles',
      { SWAP_OWNER_ACCOUNT: JSON.stringify({ address: '0x00ACC1', privateKey: SWAP_KEY }) },
      [
        'SWAP_OWNER_ACCOUNT: must be none of RELAY_ACCOUNTS: one account has one sequence of nonces',
      ],
    ],
    [
      'a swap owner with a sample key',
      { SWAP_OWNER_ACCOUNT: JSON.stringify({ address: '0x1', privateKey: '0x1' }) },
      ['SWAP_OWNER_ACCOUNT: a sample key is set here: in production every key must be your own'],
    ],
    [
      'a page address for an origin',
      { CORS_ORIGINS: 'https://app.example/page' },
      [expect.stringMatching(/^CORS_ORIGINS: must be origins/)],
    ],
    [
      'any origin beside one that is named',
      { CORS_ORIGINS: 'https://app.example, *' },
      ['CORS_ORIGINS: must be * alone, or origins without *'],
    ],
    [
      'a limit of nothing',
      { RATE_LIMIT_READS_PER_MINUTE: '0' },
      ['RATE_LIMIT_READS_PER_MINUTE: must be a whole number from 1 to 100000000'],
    ],
    [
      'a missing fee address',
      { FEE_ADDRESS: undefined },
      ['FEE_ADDRESS: is required in production'],
    ],
    ['a crash point', { SOTTO_FAILPOINT: 'sent' }, ['SOTTO_FAILPOINT: is for development only']],
    ['a wallet page', { WALLET_PAGE: '/srv/wallet' }, ['WALLET_PAGE: is for development only']],
    ['an unknown mode', { MODE: 'staging' }, ['MODE: must be production or development']],
    [
      'a text that is no number',
      { POLL_INTERVAL_MS: '1e3' },
      ['POLL_INTERVAL_MS: must be a whole number from 50 to 60000'],
    ],
    [
      'accounts that are no JSON',
      { RELAY_ACCOUNTS: `[{"privateKey": "${OWN_KEY}"` },
      ['RELAY_ACCOUNTS: must be JSON: [{"address": "0x…", "privateKey": "0x…"}]'],
    ],
    ['no accounts', { RELAY_ACCOUNTS: '[]' }, ['RELAY_ACCOUNTS: must have at least one account']],
    [
      'a secret given twice',
      { RELAY_ACCOUNTS_FILE: '/etc/sotto/profile.json' },
      ['RELAY_ACCOUNTS: give either RELAY_ACCOUNTS or RELAY_ACCOUNTS_FILE, not both'],
    ],
  ])('loadConfig rejects an environment: %s', (_name, env, expected) => {
    expect(problemsOf(env)).toEqual(expected);
  });

  it.each([
    ['a key that is too large', `0x${'f'.repeat(64)}`],
    ['a key that is no felt', OWN_KEY.slice(2)],
    ['zero', '0x0'],
  ])(
    'rejects %s as private key, with a problem that does not contain the key',
    (_name, privateKey) => {
      const problems = problemsOf({
        RELAY_ACCOUNTS: JSON.stringify([{ address: '0x1', privateKey }]),
      });
      expect(problems).toEqual([
        "RELAY_ACCOUNTS[0].privateKey: must be a private key: hex or decimal, above 0 and below the curve's order",
      ]);
    },
  );

  it('the error for a malformed account does not contain a private key, even if a field has this key as its name', () => {
    const problems = problemsOf({
      RELAY_ACCOUNTS: JSON.stringify([{ address: '0x1', privateKey: OWN_KEY, [OWN_KEY]: 1 }]),
    });
    expect(problems).toEqual(['RELAY_ACCOUNTS[0]: must have no fields but address and privateKey']);
  });

  it('rejects a list of accounts with a duplicate address', () => {
    const account = { address: '0xacc1', privateKey: OWN_KEY };
    expect(
      problemsOf({
        RELAY_ACCOUNTS: JSON.stringify([account, { ...account, address: '0x00ACC1' }]),
      }),
    ).toEqual(['RELAY_ACCOUNTS: an address is listed twice']);
  });

  it.each([
    ['no JSON', { '/etc/sotto/profile.json': '{' }, ['NETWORK_PROFILE: the file is not JSON']],
    [
      'an unknown field',
      withProfile({ fallbackPrice: 1 }),
      [expect.stringContaining('fallbackPrice')],
    ],
    ['no pool', withProfile({ pools: [] }), [expect.stringMatching(/^NETWORK_PROFILE: pools: /)]],
    [
      'a pool twice',
      withProfile({ pools: [profile.pools[0], { ...profile.pools[0], key: 'two' }] }),
      ['NETWORK_PROFILE: pools[1].address: is the address of pools[0].address already'],
    ],
    [
      'a pool whose kind and token do not go together',
      withProfile({ pools: [{ ...profile.pools[0], token: 'USDC' }] }),
      [UNFITTING],
    ],
    [
      'a swap_input pool of another token',
      withProfile({
        ...withLords,
        pools: [{ ...profile.pools[0], token: 'LORDS', kind: 'swap_input' }],
      }),
      [UNFITTING],
    ],
    [
      'a pool of a token that it does not name',
      withProfile({ pools: [{ ...profile.pools[0], token: 'constructor' }] }),
      ['NETWORK_PROFILE: pools: a pool holds a token that is not in tokens'],
    ],
    [
      'a pool of a token of 18 decimals',
      withProfile({ pools: [{ ...profile.pools[0], token: 'STRK' }] }),
      ['NETWORK_PROFILE: pools: a pool holds a token of more than 8 decimals'],
    ],
    [
      'a pool of a token without a price',
      withProfile({
        tokens: withLords.tokens,
        pools: [{ ...profile.pools[0], token: 'LORDS' }],
      }),
      [
        'NETWORK_PROFILE: pools: a pool holds a token that has no price: it needs one of oracle.pairs',
      ],
    ],
    [
      'a verification key that is not there',
      withProfile({ verificationKey: 'other.json' }),
      ['NETWORK_PROFILE: verificationKey: the file cannot be read'],
    ],
    [
      'a file that is no verification key',
      { '/etc/sotto/keys/verification_key.json': '{}' },
      ['NETWORK_PROFILE: verificationKey: protocol: not_groth16'],
    ],
  ])('loadConfig rejects a profile with %s', (_name, more, expected) => {
    expect(problemsOf({}, more)).toEqual(expected);
  });

  it('a pool can have any token that has a price', () => {
    const pool = { ...profile.pools[0], token: 'LORDS' };
    const { network } = load({}, withProfile({ ...withLords, pools: [pool] }));
    expect(servedPools(network)).toMatchObject([
      { kind: 'withdraw', token: { symbol: 'LORDS', address: '0x10d5', decimals: 8 } },
    ]);
  });

  it('VERIFICATION_KEY_PATH overrides the verification key in the profile', () => {
    const without = withProfile({ verificationKey: undefined });
    expect(problemsOf({}, without)).toEqual([
      'VERIFICATION_KEY_PATH: is required, because the network profile names no verification key',
    ]);
    const elsewhere = '/etc/sotto/keys/verification_key.json';
    expect(load({ VERIFICATION_KEY_PATH: elsewhere }, without).verification.key.ic).toHaveLength(8);
    expect(problemsOf({ VERIFICATION_KEY_PATH: '/none.json' })).toEqual([
      'VERIFICATION_KEY_PATH: the file cannot be read',
    ]);
  });

  it('enables private swaps only if the profile has a swap pool', () => {
    expect(load().swap?.owner.address).toBe('0xacc5');
    expect(load({ AGGREGATOR_URL: undefined, SWAP_OWNER_ACCOUNT: undefined }).swap).toBeNull();
    expect(problemsOf({}, withProfile({ swapPool: undefined }))).toEqual([
      'AGGREGATOR_URL: private swaps need a swapPool in the network profile',
    ]);
  });

  it('the settings limit the price impact and the slippage of swaps', () => {
    expect(load().swap).toMatchObject({ maxPriceImpactBps: 300, minSlippageBps: 10 });
    expect(load({ MAX_PRICE_IMPACT_BPS: '51', MIN_SLIPPAGE_BPS: '50' }).swap).toMatchObject({
      maxPriceImpactBps: 51,
      minSlippageBps: 50,
    });
    expect(problemsOf({ MAX_PRICE_IMPACT_BPS: '50', MIN_SLIPPAGE_BPS: '50' })).toEqual([
      'MAX_PRICE_IMPACT_BPS: must be above MIN_SLIPPAGE_BPS: otherwise no swap could be accepted',
    ]);
    expect(problemsOf({ MIN_SLIPPAGE_BPS: '101' })).toEqual([
      'MIN_SLIPPAGE_BPS: must be a whole number from 1 to 100',
    ]);
    expect(problemsOf({ MAX_PRICE_IMPACT_BPS: '5001' })).toEqual([
      'MAX_PRICE_IMPACT_BPS: must be a whole number from 1 to 5000',
    ]);
  });

  it('two price sources must agree by default if at least two are configured', () => {
    expect(load().prices.quorum).toBe(2);
    expect(load({ PRICE_QUORUM: '1' }).prices.quorum).toBe(1);
    const alone = { MODE: 'development', PRICE_API_URL: undefined };
    expect(load(alone).prices.quorum).toBe(1);
    expect(problemsOf({ ...alone, PRICE_QUORUM: '2' })).toEqual([
      'PRICE_QUORUM: is above the number of sources: PRICE_API_URL names the second, EXCHANGE_PRICES_URL the third',
    ]);
    // The quorum of price sources remains two if there are three sources.
    const three = { EXCHANGE_PRICES_URL: 'https://exchange.example' };
    expect(load(three).prices.quorum).toBe(2);
    expect(load({ ...three, PRICE_QUORUM: '3' }).prices.quorum).toBe(3);
    expect(problemsOf({ PRICE_QUORUM: '3' })).toHaveLength(1);
    expect(problemsOf({ EXCHANGE_PRICES_URL: 'http://exchange.example' })).toHaveLength(1);
  });

  it('loadConfig accepts the private keys of the development stack only in development', () => {
    const { lane1 } = sandboxWorld.accounts;
    const sample = {
      RELAY_ACCOUNTS: JSON.stringify([
        { address: toFelt(lane1.address), privateKey: toFelt(lane1.privateKey) },
      ]),
    };
    expect(problemsOf(sample)).toEqual([
      'RELAY_ACCOUNTS: a sample key is set here: in production every key must be your own',
    ]);
    const development = load({
      ...sample,
      MODE: 'development',
      FEE_ADDRESS: undefined,
      STARKNET_RPC_URLS: 'http://127.0.0.1:5050/rpc',
      SOTTO_FAILPOINT: 'sent',
      SOTTO_CRASH_AFTER: '3',
      PRICE_API_URL: undefined,
    });
    expect(development.prices).toMatchObject({ quorum: 1, apiUrl: null });
    expect(development.relay.feeAddress).toBe(toFelt(lane1.address));
    expect(development.engine).toMatchObject({ crashAt: 'sent', crashAfter: 3 });
  });

  it('isSampleKey returns true for every published private key and for every short key', () => {
    for (const { privateKey } of Object.values(sandboxWorld.accounts))
      expect(isSampleKey(toFelt(privateKey))).toBe(true);
    expect(isSampleKey(toFelt('0x71d7bb07b9a64f6f78ac4c816aff4da9'))).toBe(true);
    expect(isSampleKey(toFelt(OWN_KEY))).toBe(false);
  });
});
