import { describe, expect, it } from '@jest/globals';
import { UsageError, readCliOptions } from '../../src/cli-options.js';

const ARGS = ['--rpc-url', 'http://127.0.0.1:5050', '--profile', 'out.json'];
const ENV = { DEPLOYER_ADDRESS: '0xD', DEPLOYER_PRIVATE_KEY: '0x5ec2e7' };

function failure(args: readonly string[], env: Readonly<Record<string, string>>): string {
  try {
    readCliOptions(args, env);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('readCliOptions', () => {
  it('reads required options, and sets defaults for all other options', () => {
    expect(readCliOptions(ARGS, ENV)).toMatchObject({
      'rpc-url': 'http://127.0.0.1:5050',
      name: 'development',
      DEPLOYER_ADDRESS: 0xdn,
    });
  });

  it('treats an environment variable without content as missing', () => {
    expect(readCliOptions(ARGS, { ...ENV, VERIFIER_CLASS: '' }).VERIFIER_CLASS).toBeUndefined();
  });

  it('lists all missing options in one error', () => {
    const message = failure([], {});
    for (const name of ['rpc-url', 'profile', 'DEPLOYER_ADDRESS', 'DEPLOYER_PRIVATE_KEY'])
      expect(message).toContain(`${name}: is missing`);
  });

  it('no error message contains the value of an environment variable', () => {
    const message = failure(ARGS, { ...ENV, DEPLOYER_PRIVATE_KEY: 'my secret' });
    expect(message).toContain('DEPLOYER_PRIVATE_KEY: must be 0x-prefixed hex');
    expect(message).not.toContain('my secret');
  });

  it.each([
    ['two verifiers', { VERIFIER_CLASS: '0x1', VERIFIER_ADDRESS: '0x2' }, 'there is one verifier'],
    ['half of a verifier', { VERIFIER_SIERRA: 'sierra.json' }, 'goes with VERIFIER_CASM'],
    ['half of a library', { ECIP_CASM: 'casm.json' }, 'goes with ECIP_CASM'],
    ['a key outside the field', { DEPLOYER_PRIVATE_KEY: `0x${'f'.repeat(64)}` }, 'must be a felt'],
  ])('readCliOptions rejects invalid options: %s', (_, env, words) => {
    expect(failure(ARGS, { ...ENV, ...env })).toContain(words);
  });

  it('readCliOptions rejects an unknown flag', () => {
    expect(failure([...ARGS, '--mainnet'], ENV)).toContain('usage: npm run deploy');
  });
});
