import preset from '../../dev/scripts/jest.preset.mjs';

// The references are slow: a case of a property test may be half a second of starknet.js or
// snarkjs.
export default { ...preset, testMatch: ['<rootDir>/test/**/*.spec.ts'], testTimeout: 60_000 };
