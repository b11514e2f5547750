import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const besideThis = (name) => fileURLToPath(new URL(name, import.meta.url));
const countReporter = besideThis('./count-reporter.mjs');

/** Native ESM under Jest 30: needs Node >= 24.9 and NODE_OPTIONS=--experimental-vm-modules. */
export default {
  // Names the cache of translated sources: one for all packages of a checkout.
  id: hash('sha256', import.meta.url),
  testEnvironment: besideThis('./jest.environment.mjs'),
  testEnvironmentOptions: { customExportConditions: ['@sotto/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  injectGlobals: false,
  // turbo runs packages in parallel; one process each is enough for two cores.
  maxWorkers: 1,
  // Long enough for a busy machine that is ten times slower: it ends only tests that hang.
  testTimeout: 600_000,
  transform: { '^.+\\.tsx?$': besideThis('./jest.transform.mjs') },
  reporters: ['default', countReporter],
  coverageProvider: 'v8',
};
