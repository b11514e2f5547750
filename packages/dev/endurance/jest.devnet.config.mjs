import { fileURLToPath } from 'node:url';
import preset from '../scripts/jest.preset.mjs';

const countReporter = fileURLToPath(new URL('../scripts/count-reporter.mjs', import.meta.url));

/** Runs the tests on starknet-devnet. Skips the tests if starknet-devnet is not installed. */
export default {
  ...preset,
  testMatch: ['<rootDir>/test/devnet/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
