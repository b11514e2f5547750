import isolated from '../../dev/scripts/jest.isolated.mjs';

/**
 * Runs each test file in an isolated context. In a shared process, Node would use the real timers
 * instead of a context's fake timers.
 */
export default { ...isolated, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
