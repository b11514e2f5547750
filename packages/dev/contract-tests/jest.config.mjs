import preset from '../scripts/jest.preset.mjs';

/** Models of the contracts, by the suites that the contracts pass. */
export default { ...preset, testMatch: ['<rootDir>/test/sandbox/**/*.spec.ts'] };
