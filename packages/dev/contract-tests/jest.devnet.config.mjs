import { fileURLToPath } from 'node:url';
import preset from '../scripts/jest.preset.mjs';

const countReporter = fileURLToPath(new URL('../scripts/count-reporter.mjs', import.meta.url));

/** Runs the tests on starknet-devnet. Skips the tests if starknet-devnet is not installed. */
export default {
  ...preset,
  testMatch: ['<rootDir>/test/devnet/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/support/devnet-up.mjs',
  globalTeardown: '<rootDir>/test/support/devnet-down.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
