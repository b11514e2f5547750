import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const besideThis = (name) => fileURLToPath(new URL(name, import.meta.url));
const countReporter = besideThis('./count-reporter.mjs');

/**
 * Jest 30 settings for native ESM. Needs Node >= 24.9 and NODE_OPTIONS=--experimental-vm-modules.
 */
export default {
  // Name of the cache for translated sources. All packages of a checkout share one cache.
  id: hash('sha256', import.meta.url),
  testEnvironment: besideThis('./jest.environment.mjs'),
  testEnvironmentOptions: { customExportConditions: ['@sotto/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  injectGlobals: false,
  // turbo runs packages in parallel. One process per package is sufficient for two cores.
  maxWorkers: 1,
  // Sufficient for a busy machine that is ten times slower. So only a test that hangs exceeds this
  // limit.
  testTimeout: 600_000,
  transform: { '^.+\\.tsx?$': besideThis('./jest.transform.mjs') },
  reporters: ['default', countReporter],
  coverageProvider: 'v8',
};
