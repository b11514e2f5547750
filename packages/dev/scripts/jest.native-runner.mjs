import { createRequire } from 'node:module';
import { join } from 'node:path';
import { useGlobals } from './jest.native-globals.mjs';
import { importTestFile } from './jest.native-modules.mjs';

const HANDLERS = Symbol.for('EVENT_HANDLERS');
/** Functions of the `jest` object that only work on modules of a context. */
const NEED_CONTEXT = [
  'createMockFromModule',
  'doMock',
  'isolateModules',
  'isolateModulesAsync',
  'mock',
  'requireActual',
  'requireMock',
  'resetModules',
  'setMock',
  'unstable_mockModule',
];

/**
 * Runs a test file with jest-circus. If a file shares its modules, Node itself imports the file,
 * into the context in which Jest runs.
 */
export default async function runFile(globalConfig, config, environment, runtime, ...rest) {
  const circus = circusOf(config.rootDir);
  const { default: run } = circus('jest-circus/runner');
  const runWith = (given) => run(globalConfig, config, environment, given, ...rest);
  if (environment.isShared !== true) return runWith(runtime);
  const [testPath] = rest;
  const shared = {
    /**
     * Loads the test framework again for each file, because the framework stores the state of one
     * file.
     */
    requireInternalModule(path) {
      delete globalThis[HANDLERS];
      delete circus.cache[path];
      return circus(path);
    },
    setGlobalsForRuntime(globals) {
      runtime.setGlobalsForRuntime(globals);
      const { jest, ...others } = runtime.requireModuleOrMock(testPath, '@jest/globals');
      useGlobals({ ...others, jest: withoutModules(jest) });
    },
    unstable_shouldLoadAsEsm: () => true,
    async unstable_importModule(path) {
      await importTestFile(path, {
        conditions: environment.exportConditions(),
        rootDir: config.rootDir,
        sourceMaps: runtime.getSourceMaps(),
      });
      environment.loaded();
    },
  };
  return runWith(Object.assign(Object.create(runtime), shared));
}

/**
 * Returns a `require` that can load jest-circus from the dependencies of Jest. pnpm links only the
 * direct dependencies of a package.
 */
function circusOf(rootDir) {
  const via = ['jest', '@jest/core', 'jest-config'];
  const path = via.reduce(
    (from, name) => createRequire(from).resolve(name),
    join(rootDir, 'package.json'),
  );
  return createRequire(path);
}

function withoutModules(jest) {
  return { ...jest, ...Object.fromEntries(NEED_CONTEXT.map((name) => [name, rejection(name)])) };
}

function rejection(name) {
  return () => {
    throw new Error(`jest.${name} needs a file with @isolated in its docblock`);
  };
}
