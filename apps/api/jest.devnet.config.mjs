import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/**
 * The specs of `test/chain`: the built service against starknet-devnet; shown as skipped where that
 * is not installed.
 */
export default {
  ...preset,
  // What is tested is what was built, so the tests' own side of the wire is built too.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: ['<rootDir>/test/chain/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/chain/support/devnet-up.mjs',
  globalTeardown: '<rootDir>/test/chain/support/devnet-down.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
