import { describe, expect, it } from '@jest/globals';
import { sandboxWorld } from '@sotto/sandbox';
import { serviceEnvironment } from '../../src/stack/service-settings.js';

describe('serviceEnvironment', () => {
  const options = {
    host: '127.0.0.1',
    port: 4000,
    world: sandboxWorld,
    networkProfile: 'profile.json',
    rpcUrl: 'http://127.0.0.1:1',
    aggregatorUrl: 'http://127.0.0.1:2',
    bridgeUrl: 'http://127.0.0.1:3',
    rewardsUrl: 'http://127.0.0.1:4',
    curatorToken: 'of this run',
    operatorToken: 'of its operator',
    keeperAll: false,
    verificationKeyFile: 'k',
    databaseFile: 'd',
  };
  const environment = serviceEnvironment(options);

  it('gives the service an account that the demonstration does not sign with', () => {
    expect(environment['RELAY_ACCOUNTS']).toContain(
      `0x${sandboxWorld.accounts.lane1.address.toString(16)}`,
    );
    expect(environment['RELAY_ACCOUNTS']).not.toContain(
      `0x${sandboxWorld.accounts.lane3.address.toString(16)}`,
    );
  });

  it('sends fees to an address that signs nothing', () => {
    expect(environment['FEE_ADDRESS']).toBe(
      `0x${sandboxWorld.accounts.feeCollector.address.toString(16)}`,
    );
  });

  it('switches on swaps, yields, vault deployments and bridging, where the site has them', () => {
    expect(environment).toMatchObject({
      PRICE_API_URL: 'http://127.0.0.1:2',
      AGGREGATOR_URL: 'http://127.0.0.1:2',
      BRIDGE_URL: 'http://127.0.0.1:3',
      REWARDS_URL: 'http://127.0.0.1:4',
      CURATOR_API_TOKEN: 'of this run',
      CURATOR_ACCOUNT: expect.stringContaining(
        `0x${sandboxWorld.accounts.curator.address.toString(16)}`,
      ),
      SWAP_OWNER_ACCOUNT: expect.stringContaining(
        `0x${sandboxWorld.accounts.swapOwner.address.toString(16)}`,
      ),
    });
  });

  it('lets the keeper act on what it is shown with, and on everything when that is asked for', () => {
    expect(environment['KEEPER_TASKS']).toBe('curator,purchases,leverage,treasury');
    expect(JSON.parse(environment['KEEPER_SUBJECTS'] ?? '')).toEqual({
      curator: ['apex'],
      purchases: ['1'],
      leverage: ['turbo'],
      treasury: ['keeper-0'],
    });
    const everything = serviceEnvironment({ ...options, keeperAll: true });
    expect(everything['KEEPER_TASKS']).toBe('curator,purchases,leverage,treasury,batches');
    expect(everything).not.toHaveProperty('KEEPER_SUBJECTS');
  });

  it('names the files of the network and of the verification key', () => {
    expect(environment).toMatchObject({
      NETWORK_PROFILE: 'profile.json',
      VERIFICATION_KEY_PATH: 'k',
    });
  });
});
