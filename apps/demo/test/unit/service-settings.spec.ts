import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sandboxWorld } from '@sotto/sandbox';
import { serviceEnvironment } from '../../src/stack/service-settings.js';

describe('serviceEnvironment', () => {
  const environment = serviceEnvironment({
    host: '127.0.0.1',
    port: 4000,
    rpcUrl: 'http://127.0.0.1:1',
    verificationKeyFile: 'k',
    databaseFile: 'd',
  });

  it('gives the service an account that the demonstration does not sign with', () => {
    expect(environment['RELAY_ACCOUNTS']).toContain(`0x${sandboxWorld.accounts.lane1.address.toString(16)}`);
    expect(environment['RELAY_ACCOUNTS']).not.toContain(`0x${sandboxWorld.accounts.lane3.address.toString(16)}`);
  });

  it('sends fees to an address that signs nothing', () => {
    expect(environment['FEE_ADDRESS']).toBe(`0x${sandboxWorld.accounts.feeCollector.address.toString(16)}`);
  });

  it('describes the sandbox by the profile that comes with the service', () => {
    expect(environment['NETWORK_PROFILE']).toMatch(/sandbox\.json$/);
    expect(existsSync(environment['NETWORK_PROFILE'] ?? '')).toBe(true);
    expect(environment['VERIFICATION_KEY_PATH']).toBe('k');
  });
});
