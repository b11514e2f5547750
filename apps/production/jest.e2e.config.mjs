import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/** The folder that operators run, made with their command, against the sandbox. */
export default {
  ...preset,
  // The tests import built packages too, so both sides of the connection are built code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
