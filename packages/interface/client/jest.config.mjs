import isolated from '../../dev/scripts/jest.isolated.mjs';

/**
 * A separate context for each file: its fake timers would replace Node's own timers in a shared
 * process.
 */
export default { ...isolated, testMatch: ['<rootDir>/test/**/*.spec.ts'] };
