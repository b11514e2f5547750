import { describe, expect, it } from '@jest/globals';
import { VARIABLES } from '@sotto/relayer';
import { environmentNames } from '@sotto/settings';
import { sandboxWorld } from '@sotto/sandbox';
import { describeUnused, serviceSettings } from '../../src/stack/service-settings.js';

describe('serviceSettings', () => {
  const options = {
    host: '127.0.0.1',
    port: 4000,
    world: sandboxWorld,
    networkProfile: 'profile.json',
    rpcUrl: 'http://127.0.0.1:1',
    aggregatorUrl: 'http://127.0.0.1:2',
    bridgeUrl: 'http://127.0.0.1:3',
    rewardsUrl: 'http://127.0.0.1:4',
    tokens: {
      curator: { value: 'of this run', isGiven: false },
      operator: { value: 'of its operator', isGiven: false },
    },
    keeperAll: false,
    verificationKeyFile: 'k',
    databaseFile: 'd',
  };
  const { variables: environment } = serviceSettings(options, {});

  it('serviceSettings uses a relaying account that the demonstration does not use for its own transactions', () => {
    expect(environment['RELAY_ACCOUNTS']).toContain(
      `0x${sandboxWorld.accounts.lane1.address.toString(16)}`,
    );
    expect(environment['RELAY_ACCOUNTS']).not.toContain(
      `0x${sandboxWorld.accounts.lane3.address.toString(16)}`,
    );
  });

  it('serviceSettings uses a fee address whose account signs no transactions', () => {
    expect(environment['FEE_ADDRESS']).toBe(
      `0x${sandboxWorld.accounts.feeCollector.address.toString(16)}`,
    );
  });

  it('serviceSettings limits the young generation of the service’s heap', () => {
    expect(environment['NODE_OPTIONS']).toBe('--max-semi-space-size=4');
  });

  it('serviceSettings enables swaps, yields, vault deployments and bridging', () => {
    expect(environment).toMatchObject({
      PRICE_API_URL: 'http://127.0.0.1:2',
      AGGREGATOR_URL: 'http://127.0.0.1:2',
      BRIDGE_URL: 'http://127.0.0.1:3',
      REWARDS_URL: 'http://127.0.0.1:4',
      CURATOR_API_TOKENS: '{"default":"of this run"}',
      CURATOR_ACCOUNT: expect.stringContaining(
        `0x${sandboxWorld.accounts.curator.address.toString(16)}`,
      ),
      SWAP_OWNER_ACCOUNT: expect.stringContaining(
        `0x${sandboxWorld.accounts.swapOwner.address.toString(16)}`,
      ),
    });
  });

  it('a developer deposits without a ration, unless the settings of the caller limit deposits', () => {
    const unlimited = {
      DEPOSITS_PER_HOUR_PER_POOL: '1000000',
      DEPOSITS_PER_HOUR_PER_DEPOSITOR: '1000000',
      DEPOSITS_PER_HOUR_PER_NETWORK: '1000000',
    };
    expect(environment).toMatchObject(unlimited);
    const given = { DEPOSITS_PER_HOUR_PER_DEPOSITOR: '4' };
    expect(serviceSettings(options, given).variables).toMatchObject({ ...unlimited, ...given });
  });

  it("limits the keeper to the demonstration's tasks, unless all tasks are requested", () => {
    expect(environment['KEEPER_TASKS']).toBe('curator,purchases,leverage,treasury');
    expect(JSON.parse(environment['KEEPER_SUBJECTS'] ?? '')).toEqual({
      curator: ['apex'],
      purchases: ['1'],
      leverage: ['turbo'],
      treasury: ['keeper-0'],
    });
    const { variables: everything } = serviceSettings({ ...options, keeperAll: true }, {});
    expect(everything['KEEPER_TASKS']).toBe('curator,purchases,leverage,treasury,batches');
    expect(everything).not.toHaveProperty('KEEPER_SUBJECTS');
  });

  it('serviceSettings contains the paths of the network profile and of the verification key', () => {
    expect(environment).toMatchObject({
      NETWORK_PROFILE: 'profile.json',
      VERIFICATION_KEY_PATH: 'k',
    });
  });

  const settingOf = environmentNames(VARIABLES);
  const names = [...settingOf.keys()];
  const GIVEN = 'by the caller';

  it.each(names.filter((name) => name !== 'PORT'))(
    'serviceSettings passes the setting %s to the service or reports it as unused',
    (name) => {
      const settings = serviceSettings(options, { [name]: GIVEN });
      expect([
        { variables: { ...environment, [name]: GIVEN }, unused: [] },
        { variables: environment, unused: [name] },
      ]).toContainEqual(settings);
      // For every unused setting, the stack provides its own value, which may be an empty text.
      const settingsMade = settings.unused.map((unused) => settingOf.get(unused));
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(settingsMade));
    },
  );

  it('serviceSettings overrides only the given settings that define the development stack', () => {
    const given = Object.fromEntries(names.map((name) => [name, GIVEN]));
    const { variables, unused } = serviceSettings(options, given);
    expect(unused).toEqual(
      expect.arrayContaining([
        'MODE',
        'HOST',
        'NETWORK_PROFILE',
        'VERIFICATION_KEY_PATH',
        'STARKNET_RPC_URLS',
        'STARKNET_RPC_URLS_FILE',
        'STARKNET_RPC_URL',
        'STARKNET_RPC_URL_FILE',
        'RELAY_ACCOUNTS',
        'CURATOR_ACCOUNT',
        'FEE_ADDRESS',
        'DATABASE_PATH',
        'DATABASE_URL',
        'BRIDGE_URL',
        'KEEPER_TASKS',
      ]),
    );
    expect(variables).toMatchObject({
      CORS_ORIGINS: GIVEN,
      LOG_LEVEL: GIVEN,
      METRICS_PORT: GIVEN,
      POLL_INTERVAL_MS: GIVEN,
      CURATOR_API_TOKEN: GIVEN,
      CURATOR_API_TOKENS: GIVEN,
      OPERATOR_API_TOKEN_FILE: GIVEN,
      MODE: 'development',
      DATABASE_URL: '',
    });
    // PORT does not count as unused, because the demonstration reads this variable.
    expect(unused).not.toContain('PORT');
    expect(variables['PORT']).toBe('4000');
    const passedOn = names.filter((name) => variables[name] === GIVEN);
    expect([...passedOn, ...unused, 'PORT'].toSorted()).toEqual(names.toSorted());
    expect(passedOn.length).toBeGreaterThan(unused.length);
  });

  it('serviceSettings drops unknown variables and variables without content', () => {
    const given = {
      HOME: '/home/someone',
      CORS_ORIGIN: 'https://a.example',
      MODE: '',
      CORS_ORIGINS: '',
    };
    expect(serviceSettings(options, given)).toEqual({ variables: environment, unused: [] });
  });

  it('serviceSettings generates no bearer token if the caller provides one', () => {
    const tokens = { ...options.tokens, curator: { value: 'mine', isGiven: true } };
    const { variables } = serviceSettings({ ...options, tokens }, { CURATOR_API_TOKENS: GIVEN });
    expect(variables).toMatchObject({
      CURATOR_API_TOKENS: GIVEN,
      OPERATOR_API_TOKENS: '{"default":"of its operator"}',
    });
  });
});

describe('describeUnused', () => {
  it.each([
    [[], null],
    [['MODE'], 'MODE is set, and not used: the development stack makes it itself'],
    [['A', 'B'], 'A and B are set, and not used: the development stack makes them itself'],
    [['A', 'B', 'C'], 'A, B and C are set, and not used: the development stack makes them itself'],
  ])('describeUnused describes the unused settings %p as: %s', (unused, sentence) => {
    expect(describeUnused(unused)).toBe(sentence);
  });
});
