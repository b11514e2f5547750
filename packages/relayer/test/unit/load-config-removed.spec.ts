import { describe, expect, it } from '@jest/globals';
import { CONSTANTS, REMOVED_SETTINGS } from '../../src/environment/constants.js';
import { VARIABLES } from '../../src/environment/variables.js';
import { unknownSettings } from '../../src/environment/unknown-settings.js';
import { load, problemsOf } from './configuration.js';

const TOKEN = 't'.repeat(32);

describe('settings that became constants', () => {
  const removed = [...REMOVED_SETTINGS];

  it.each(removed)(
    'ignores the variable %s, which is now a constant, with a warning if its value equals the constant',
    (name) => {
      const { stale, ...settings } = load({ [name]: ` ${REMOVED_SETTINGS.get(name)} ` });
      expect(stale).toEqual([
        `${name} is no longer a setting: it is always ${REMOVED_SETTINGS.get(name)}; remove it`,
      ]);
      const { stale: none, engine, ...expected } = load();
      expect(none).toEqual([]);
      expect({ ...settings, engine: null }).toEqual({ ...expected, engine: null });
      expect(settings.engine.horizonMs).toBe(engine.horizonMs);
    },
  );

  it.each(removed)(
    'rejects the variable %s, which is now a constant, if its value differs from the constant',
    (name, value) => {
      for (const text of [String(value + 1), 'many', '0'])
        expect(problemsOf({ [name]: text })).toEqual([
          `${name}: is no longer a setting: it is always ${value}; remove it`,
        ]);
    },
  );

  it('an empty variable is treated as absent', () => {
    const env = Object.fromEntries(removed.map(([name]) => [name, '']));
    expect(load(env).stale).toEqual([]);
    const names = [...REMOVED_SETTINGS.keys(), 'STARKNET_RPC_URL', 'OPERATOR_API_TOKEN_FILE'];
    const fromFile = new Map(names.map((name, index) => [name, index + 1]));
    expect(unknownSettings(Object.fromEntries(names.map((n) => [n, '1'])), fromFile)).toEqual([]);
    expect(names.filter((name) => name in VARIABLES)).toEqual([]);
  });

  it('the settings contain each constant under its path', () => {
    const { http, signer, retention, staking, engine, guards } = load({
      SIGNER_URL: 'unix:/run/signer.sock',
      RELAY_ACCOUNTS: '[{"address": "0xacc1"}]',
      SWAP_OWNER_ACCOUNT: '{"address": "0xacc5"}',
      CURATOR_ACCOUNT: '{"address": "0xacc7"}',
    });
    expect({ http, signer, retention, staking, engine, guards }).toMatchObject({
      http: { rateLimits: CONSTANTS.rateLimits },
      signer: CONSTANTS.signer,
      retention: CONSTANTS.retention,
      staking: CONSTANTS.staking,
      engine: CONSTANTS.engine,
      guards: { smallBatchBelow: 3, slots: { slots: 16 } },
    });
  });
});

describe('former names', () => {
  it('the former name of a renamed variable is still read for one release, with a warning', () => {
    const settings = load({
      STARKNET_RPC_URLS: undefined,
      STARKNET_RPC_URL: 'https://one.example/a,b',
      CURATOR_API_TOKENS: undefined,
      CURATOR_API_TOKEN: TOKEN,
      OPERATOR_API_TOKEN: TOKEN,
    });
    expect(settings.node.endpoints.map(({ name, url }) => [name, url.reveal()])).toEqual([
      ['node-0', 'https://one.example/a,b'],
    ]);
    const tokens = [...settings.curator.tokens, ...settings.operator.tokens];
    expect(tokens.map(({ name, token }) => [name, token.reveal()])).toEqual([
      ['default', TOKEN],
      ['default', TOKEN],
    ]);
    expect(settings.stale).toEqual(
      ['STARKNET_RPC_URL', 'CURATOR_API_TOKEN', 'OPERATOR_API_TOKEN'].map(
        (name) => `${name} is the former name of ${name}S: use ${name}S`,
      ),
    );
  });

  it('the error for a value set under a variable’s former name shows the former name', () => {
    expect(
      problemsOf({
        STARKNET_RPC_URLS: undefined,
        STARKNET_RPC_URL: 'http://127.0.0.1:5050',
        OPERATOR_API_TOKEN: 'with a space',
      }),
    ).toEqual([
      'OPERATOR_API_TOKEN: must be letters, digits and the signs - . _ ~ + / with = at the end',
      'STARKNET_RPC_URL: must be an https URL in production',
    ]);
  });
});

describe('an environment of an older release', () => {
  it('rejects an environment of an older release with all of its problems at once', () => {
    expect(
      problemsOf({
        STAKING_REFRESH_MS: '5000',
        ADMISSION_SLOTS: '16',
        SMALL_BATCH_BELOW: '1',
        STARKNET_RPC_URL: 'https://one.example',
        PORT: 'high',
      }),
    ).toEqual([
      'PORT: must be a whole number from 0 to 65535',
      'STARKNET_RPC_URL: give either STARKNET_RPC_URL or STARKNET_RPC_URLS, not both',
      'STAKING_REFRESH_MS: is no longer a setting: it is always 10000; remove it',
      'SMALL_BATCH_BELOW: is no longer a setting: it is always 3; remove it',
    ]);
  });
});

describe('a malformed address among several nodes', () => {
  it.each([
    'node.example',
    'https://',
    'https:node.example',
    'https:///node.example',
    'https://node example',
    'https://node.example:port',
    'ftp://node.example',
    'wss://node.example',
    'Own=https://node.example',
    '',
  ])(
    'rejects the malformed URL %j in the list of nodes, and reports the node’s name and position',
    (address) => {
      for (const text of [address, `two=${address}`])
        expect(problemsOf({ STARKNET_RPC_URLS: `https://one.example,${text}` })).toEqual([
          'STARKNET_RPC_URLS[1].url: must be an http or https URL',
        ]);
    },
  );
});
