import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/** The built service as a process of its own, against the sandbox, over sockets. */
export default {
  ...preset,
  // What is tested is what was built, so the tests' own side of the wire is built too.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  // The longest suite by far: two files at a time, so that it does not run on alone.
  maxWorkers: 2,
  testMatch: ['<rootDir>/test/{e2e,chain}/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/e2e/support/make-proof-folder.mjs',
  globalTeardown: '<rootDir>/test/e2e/support/remove-proof-folder.mjs',
  reporters: ['default', [countReporter, { file: 'test-results.e2e.json' }]],
};
