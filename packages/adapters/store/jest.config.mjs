import preset from '../../dev/scripts/jest.preset.mjs';

export default {
  ...preset,
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  // Databases are made and processes started, on machines that do other things as well.
  testTimeout: 60_000,
  globalSetup: '<rootDir>/test/support/postgres-setup.mjs',
  globalTeardown: '<rootDir>/test/support/postgres-teardown.mjs',
};
