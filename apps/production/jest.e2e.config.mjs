import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/**
 * Tests of the folder that operators run. The tests create the folder with the operator's command
 * and run it against the sandbox.
 */
export default {
  ...preset,
  // The tests import built packages too. So the test's side and the program's side of each
  // connection run the same code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
