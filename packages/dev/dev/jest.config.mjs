import preset from '../scripts/jest.preset.mjs';

export default { ...preset, testMatch: ['<rootDir>/test/unit/**/*.spec.ts'] };
