// Translates TypeScript for Node's module loader, so that all test files of a process share
// modules.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import transform from './jest.transform.mjs';

const GLOBALS = new URL('./jest.native-globals.mjs', import.meta.url).href;
const TYPESCRIPT = /\.tsx?$/;
const RELATIVE_SCRIPT = /^\.{1,2}\/.*\.js$/;
const INSTALLED = '/node_modules/';
/** Query parameter in the URL of a module that only one test file uses. */
const FILE = 'file';
const translated = fileURLToPath(
  new URL('../../../node_modules/.sotto/translated/', import.meta.url),
);

/** Paths of source maps. The key is the URL of the module. */
const sourceMaps = new Map();
let conditions = [];
/** Folder of the package's tests. Helpers in it have state, so each test file loads them again. */
let helpers = '';
let loads = 0;
let noteSourceMap = () => {};

registerHooks({ resolve, load });

/**
 * Loads a test file. Helpers are loaded again, while other modules are reused from earlier files.
 * @param options export conditions of the suite, the suite's root, and a map that receives the
 *   paths of source maps
 */
export async function importTestFile(path, options) {
  conditions = options.conditions;
  helpers = `${pathToFileURL(join(options.rootDir, 'test')).href}/`;
  for (const [url, map] of sourceMaps) options.sourceMaps.set(url, map);
  noteSourceMap = (url, map) => options.sourceMaps.set(url, map);
  loads += 1;
  try {
    await import(`${pathToFileURL(path).href}?${FILE}=${loads}`);
  } catch (error) {
    throw withoutOwnFrames(error);
  }
}

/** Removes this runner's frames from the stack, so that Jest prints the code of the test. */
function withoutOwnFrames(error) {
  if (typeof error?.stack === 'string')
    error.stack = error.stack.replaceAll(/^ *at .*jest\.native-\w+\.mjs:.*\n?/gm, '');
  return error;
}

function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  const { parentURL = '' } = context;
  if (parentURL.includes(INSTALLED) || !parentURL.startsWith('file:'))
    return nextResolve(specifier, context);
  const found =
    sourceOf(specifier, parentURL) ??
    nextResolve(specifier, { ...context, conditions: [...conditions, ...context.conditions] });
  const file = new URL(parentURL).searchParams.get(FILE);
  if (file === null || !found.url.startsWith(helpers) || found.url.includes('?')) return found;
  return { ...found, url: `${found.url}?${FILE}=${file}` };
}

/**
 * Returns the TypeScript source for a relative import, which ends in the `.js` of the built file.
 */
function sourceOf(specifier, parentURL) {
  if (!RELATIVE_SCRIPT.test(specifier)) return null;
  const { href } = new URL(specifier, parentURL);
  const url = ['.ts', '.tsx']
    .map((extension) => href.replace(/\.js$/, extension))
    .find((candidate) => existsSync(fileURLToPath(candidate)));
  return url === undefined ? null : { url, format: 'module', shortCircuit: true };
}

function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !TYPESCRIPT.test(new URL(url).pathname))
    return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code, map } = translation(readFileSync(filename, 'utf8'), filename);
  sourceMaps.set(url, map);
  noteSourceMap(url, map);
  return { format: 'module', source: code, shortCircuit: true };
}

/** Returns the translated code and the path of its source map. Both are stored for later runs. */
function translation(source, filename) {
  const kept = join(translated, transform.getCacheKey(source, filename));
  const file = `${kept}.js`;
  const map = `${kept}.map`;
  try {
    return { code: readFileSync(file, 'utf8'), map };
  } catch {
    const made = transform.process(source, filename);
    write(map, made.map);
    write(file, made.code);
    return { code: made.code, map };
  }
}

/**
 * Writes a file by renaming a complete one, because other suites may read and write the same file.
 */
function write(file, content) {
  const part = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(part, content);
  renameSync(part, file);
}
