import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/**
 * Tests in `test/chain`: the built service against starknet-devnet. Skipped if it
 * is not installed.
 */
export default {
  ...preset,
  // The tests import built packages too, so both sides of the connection are built code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: ['<rootDir>/test/chain/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/chain/support/devnet-up.mjs',
  globalTeardown: '<rootDir>/test/chain/support/devnet-down.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
