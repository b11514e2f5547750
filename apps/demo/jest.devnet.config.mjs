import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/**
 * Runs the built demonstration on starknet-devnet. The tests are skipped if devnet is not
 * installed.
 */
export default {
  ...preset,
  testMatch: ['<rootDir>/test/devnet/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
