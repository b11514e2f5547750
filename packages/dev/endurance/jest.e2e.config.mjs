import { fileURLToPath } from 'node:url';
import preset from '../scripts/jest.preset.mjs';

const countReporter = fileURLToPath(new URL('../scripts/count-reporter.mjs', import.meta.url));

/**
 * The real service and chain as processes, for a few seconds of what the commands do for minutes.
 */
export default {
  ...preset,
  testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
