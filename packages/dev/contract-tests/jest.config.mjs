import preset from '../scripts/jest.preset.mjs';

/** Runs the contracts' suites on the sandbox's models. */
export default { ...preset, testMatch: ['<rootDir>/test/sandbox/**/*.spec.ts'] };
