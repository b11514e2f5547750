import { fileURLToPath } from 'node:url';
import preset from '../../packages/dev/scripts/jest.preset.mjs';

const countReporter = fileURLToPath(
  new URL('../../packages/dev/scripts/count-reporter.mjs', import.meta.url),
);

/** What operators run, made as they make it, against starknet-devnet in production mode. */
export default {
  ...preset,
  // What is tested is what was built, so the tests' own side of the wire is built too.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: ['<rootDir>/test/devnet/**/*.spec.ts'],
  reporters: ['default', [countReporter, { file: 'test-results.devnet.json' }]],
};
