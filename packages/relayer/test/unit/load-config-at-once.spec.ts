import { describe, expect, it } from '@jest/globals';
import { environment, files, profile } from '@sotto/process-kit/environment';
import { InvalidConfiguration, loadConfig } from '../../src/index.js';

function problemsOf(
  env: Readonly<Record<string, string | undefined>>,
  more: Readonly<Record<string, string>> = {},
): readonly string[] {
  try {
    loadConfig({ env: { ...environment, ...env }, readFile: files(more), modeOf: () => 0o600 });
    return [];
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.problems;
    throw error;
  }
}

const asProfile = (json: object) => ({ '/etc/sotto/profile.json': JSON.stringify(json) });

describe('the problems of a configuration', () => {
  it('loadConfig reports all problems at once, even if they are in different files', () => {
    const { verificationKey: _, ...without } = profile;
    const problems = problemsOf(
      {
        PORT: 'high',
        PRICE_API_URL: undefined,
        REWARDS_URL: undefined,
        PAUSED_POOLS: '{"two": "slip"}',
        OPERATOR_API_TOKEN_FILE: '/etc/sotto/missing',
      },
      asProfile({ ...without, oracle: { kind: 'pragma', address: 'far away' } }),
    );
    for (const beginning of [
      'PORT: ',
      'PRICE_API_URL: is required in production',
      'REWARDS_URL: is required in production',
      'VERIFICATION_KEY_PATH: is required',
      'PAUSED_POOLS: names a pool that is not in the network profile',
      'OPERATOR_API_TOKEN_FILE: cannot be read',
      'NETWORK_PROFILE: oracle.address: ',
    ])
      expect(problems).toContainEqual(expect.stringContaining(beginning));
    expect(problems).toHaveLength(7);
  });

  it('loadConfig reports problems of the verification key even if no profile is configured', () => {
    const problems = problemsOf(
      { NETWORK_PROFILE: undefined, VERIFICATION_KEY_PATH: '/etc/sotto/key.json' },
      { '/etc/sotto/key.json': '{"protocol": "plonk"}' },
    );
    expect(problems).toContainEqual(expect.stringMatching(/^NETWORK_PROFILE: /));
    expect(problems).toContainEqual(expect.stringMatching(/^VERIFICATION_KEY_PATH: /));
  });

  it('the fields of an invalid profile are not also reported as missing', () => {
    expect(problemsOf({}, asProfile({ ...profile, name: 'No Key' }))).toEqual([
      expect.stringMatching(/^NETWORK_PROFILE: name: /),
    ]);
  });
});
