import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/** Runs built keepers as separate processes, with the service and the sandbox. */
export default {
  ...preset,
  // The tests use built packages, as the processes do. So the test's side and the process's side of
  // each connection run the same code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
