import isolated from '../../dev/scripts/jest.isolated.mjs';

/** Fake timers replace the ones of a context. Node would use them in a shared process. */
export default { ...isolated, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
