import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { networkProfile } from '@sotto/deployment';
import { toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';

const SANDBOX_PROFILE = new URL('../../../api/profiles/sandbox.json', import.meta.url);

describe('networkProfile', () => {
  it('the profile that is generated for a sandbox stack equals the shipped sandbox profile, except for addresses', () => {
    // The deployment has no privacy pool: the network itself provides this contract.
    const { privacyPool, ...shipped } = JSON.parse(readFileSync(SANDBOX_PROFILE, 'utf8'));
    const { address, swap } = sandboxWorld.privacyPool;
    expect(privacyPool).toMatchObject({
      address: toFelt(address),
      invokedContracts: [toFelt(swap)],
    });
    const stack = {
      ...sandboxWorld,
      owner: sandboxWorld.accounts.lane1,
      outputTokens: ['ETH', 'USDC', 'STRK'] as const,
    };
    const whole: { readonly limits?: unknown } = networkProfile('sandbox', {
      stack,
      verifierClass: shipped.swapPool.verifierClass,
    });
    const { limits, ...profile } = whole;
    // The Cairo contracts need more gas than the specification's estimates; see
    // docs/measured/gas.md.
    expect(limits).toBeDefined();
    expect(profile).toEqual(shipped);
  });
});
