import { fileURLToPath } from 'node:url';
import preset from '../scripts/jest.preset.mjs';

const countReporter = fileURLToPath(new URL('../scripts/count-reporter.mjs', import.meta.url));

/** The command and the library as they are built, with processes of their own. */
export default {
  ...preset,
  testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
