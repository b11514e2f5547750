import { fileURLToPath } from 'node:url';
import preset from '../scripts/jest.preset.mjs';

const countReporter = fileURLToPath(new URL('../scripts/count-reporter.mjs', import.meta.url));

/** The built benchmark, for some seconds: that it still runs, not how fast anything is. */
export default {
  ...preset,
  testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
