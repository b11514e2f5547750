import isolated from '../../dev/scripts/jest.isolated.mjs';

/** Fake timers replace the ones of a context. In a shared process Node itself would use them. */
export default { ...isolated, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
