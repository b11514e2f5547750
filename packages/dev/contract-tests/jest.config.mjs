import preset from '../scripts/jest.preset.mjs';

/** Runs the suites of the contracts on the sandbox's models. */
export default { ...preset, testMatch: ['<rootDir>/test/sandbox/**/*.spec.ts'] };
