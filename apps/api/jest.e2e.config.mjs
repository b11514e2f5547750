import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/**
 * Configuration of the end-to-end tests, which run the built service in a separate process, against
 * the sandbox, over sockets.
 */
export default {
  ...preset,
  // The tests import the built packages, as the service does. So the test's side and the service's
  // side of the connection both run built code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  // Two files run concurrently, because this suite is the longest of all suites. With one file at a
  // time, the whole test run would wait for it.
  maxWorkers: 2,
  testMatch: ['<rootDir>/test/{e2e,chain}/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/e2e/support/make-proof-folder.mjs',
  globalTeardown: '<rootDir>/test/e2e/support/remove-proof-folder.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
