import isolated from '../../dev/scripts/jest.isolated.mjs';

/**
 * Runs each test file in an isolated context. In a shared process, Node's own functions would use
 * the real timers, although the test replaces the timers of its context.
 */
export default { ...isolated, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
