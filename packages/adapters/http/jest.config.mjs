import preset from '../../dev/scripts/jest.preset.mjs';

export default { ...preset, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
