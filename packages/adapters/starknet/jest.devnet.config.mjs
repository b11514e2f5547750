import { fileURLToPath } from 'node:url';
import preset from '../../dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../dev/scripts/count-reporter.mjs', import.meta.url),
);

/**
 * Runs the suites of `test/chain` on starknet-devnet. The suites are reported as skipped if devnet
 * is not installed.
 */
export default {
  ...preset,
  testMatch: ['<rootDir>/test/chain/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/support/devnet-up.mjs',
  globalTeardown: '<rootDir>/test/support/devnet-down.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
