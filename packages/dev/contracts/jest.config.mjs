import preset from '../scripts/jest.preset.mjs';

export default {
  ...preset,
  testMatch: ['<rootDir>/test/unit/**/*.spec.ts'],
  // Class hashes and compilers take seconds, and more where they share a machine.
  testTimeout: 60_000,
};
