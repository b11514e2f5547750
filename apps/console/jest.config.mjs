import preset from '../../packages/dev/scripts/jest.preset.mjs';

export default {
  ...preset,
  testMatch: ['<rootDir>/test/unit/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
};
