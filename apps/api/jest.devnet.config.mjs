import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/**
 * Configuration of the tests in `test/chain`, which run the built service against starknet-devnet.
 * The tests are skipped if starknet-devnet is not installed.
 */
export default {
  ...preset,
  // The tests import the built packages, as the service does. So the test's side and the service's
  // side of the connection both run built code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: ['<rootDir>/test/chain/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/chain/support/devnet-up.mjs',
  globalTeardown: '<rootDir>/test/chain/support/devnet-down.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
