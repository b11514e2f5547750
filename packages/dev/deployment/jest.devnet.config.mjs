import { fileURLToPath } from 'node:url';
import preset from '../scripts/jest.preset.mjs';

const countReporter = fileURLToPath(new URL('../scripts/count-reporter.mjs', import.meta.url));

/** Tests against starknet-devnet; skipped if it is not installed. */
export default {
  ...preset,
  testMatch: ['<rootDir>/test/devnet/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
