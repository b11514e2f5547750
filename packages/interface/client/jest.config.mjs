import isolated from '../../dev/scripts/jest.isolated.mjs';

/** Node itself would use them in a shared process. */
export default { ...isolated, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
