import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/**
 * End-to-end tests of the built service in a separate process, against the sandbox, over sockets.
 */
export default {
  ...preset,
  // The tests import built packages too, so both sides of the connection are built code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  // Two files at a time, because this is the longest suite and must not run alone at the end.
  maxWorkers: 2,
  testMatch: ['<rootDir>/test/{e2e,chain}/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/e2e/support/make-proof-folder.mjs',
  globalTeardown: '<rootDir>/test/e2e/support/remove-proof-folder.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
