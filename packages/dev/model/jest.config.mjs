import preset from '../scripts/jest.preset.mjs';

export default { ...preset, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
