import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { networkProfile } from '@sotto/deployment';
import { sandboxWorld } from '@sotto/sandbox';

const SANDBOX_PROFILE = new URL('../../../api/profiles/sandbox.json', import.meta.url);

describe('networkProfile', () => {
  it('describes a stack like the service’s profile of the sandbox, which is the same stack at other addresses', () => {
    const shipped = JSON.parse(readFileSync(SANDBOX_PROFILE, 'utf8'));
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
    // The contracts in Cairo cost more than the specification's estimates; see
    // docs/measured/gas.md.
    expect(limits).toBeDefined();
    expect(profile).toEqual(shipped);
  });
});
