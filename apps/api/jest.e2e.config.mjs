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
  // The tests import built packages like the service, so both ends of the connection run built
  // code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  // Two files run concurrently, because this is the longest suite and must not be the last one that
  // runs.
  maxWorkers: 2,
  testMatch: ['<rootDir>/test/{e2e,chain}/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/e2e/support/make-proof-folder.mjs',
  globalTeardown: '<rootDir>/test/e2e/support/remove-proof-folder.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
