import isolated from '../../dev/scripts/jest.isolated.mjs';

/**
 * Each test file gets a separate context. In a shared process, the fake timers of a file would
 * replace Node's own timers.
 */
export default { ...isolated, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
