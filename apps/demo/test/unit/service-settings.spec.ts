import { describe, expect, it } from '@jest/globals';
import { sandboxWorld } from '@sotto/sandbox';
import { sandboxProfile, serviceEnvironment } from '../../src/stack/service-settings.js';

describe('sandboxProfile', () => {
  it('serves every pool of the sandbox under its key, with the token that it holds', () => {
    expect(sandboxProfile('key.json')).toMatchObject({
      chainId: 'SN_SOTTO_SANDBOX',
      verificationKey: 'key.json',
      pools: expect.arrayContaining([
        expect.objectContaining({ key: 'sentinel_1x', token: 'WBTC', kind: 'v4' }),
        expect.objectContaining({ key: 'stable_10', token: 'USDC', kind: 'v4' }),
      ]),
    });
  });
});

describe('serviceEnvironment', () => {
  const environment = serviceEnvironment({
    host: '127.0.0.1',
    port: 4000,
    rpcUrl: 'http://127.0.0.1:1',
    profileFile: 'p',
    databaseFile: 'd',
  });

  it('gives the service an account that the demonstration does not sign with', () => {
    expect(environment['RELAY_ACCOUNTS']).toContain(`0x${sandboxWorld.accounts.lane1.address.toString(16)}`);
    expect(environment['RELAY_ACCOUNTS']).not.toContain(`0x${sandboxWorld.accounts.lane3.address.toString(16)}`);
  });

  it('sends fees to an address that signs nothing', () => {
    expect(environment['FEE_ADDRESS']).toBe(`0x${sandboxWorld.accounts.feeCollector.address.toString(16)}`);
  });
});
