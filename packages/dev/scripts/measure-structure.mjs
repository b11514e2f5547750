// Measures the structure of the repository: slices of relayer-core, functions of one withdrawal,
// lines, files, ports, bindings, settings and packages. With `--json`, it prints only the numbers.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { packageFolders, root } from './run.mjs';

/** Slices of relayer-core, lowest first, as in `.dependency-cruiser.cjs`. */
const FLOORS = [
  ['relay'],
  ['pools'],
  ['circuit-breaker'],
  ['fees'],
  ['deposits', 'batches'],
  ['withdrawals'],
  ['swaps'],
  ['status'],
  ['treasury'],
  ['operators'],
];
const DEVELOPMENT = /^(packages\/dev|apps\/demo|apps\/wallet-page)\//;
const TESTING = /\/src\/testing\//;
const LEGS_TO_THE_WIRE = /## 1 Socket[\s\S]*?(?=## 6 )/;

const read = (path) => readFileSync(join(root, path), 'utf8');
const count = (text, pattern) => [...text.matchAll(pattern)].length;

/** Source files of all packages, as paths relative to the root. */
const sources = packageFolders().flatMap((folder) => {
  try {
    return readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, 'src', file).replaceAll(sep, '/'));
  } catch {
    return [];
  }
});
const shipped = sources.filter((file) => !DEVELOPMENT.test(file) && !TESTING.test(file));

const floorOf = (slice) => FLOORS.findIndex((floor) => floor.includes(slice));

/**
 * Counts pairs of slices that import each other. Also counts imports in which the imported slice is
 * on the same floor as the importing slice, or on a higher floor.
 */
function slices() {
  const folder = 'packages/core/relayer-core/src/';
  const sliceOf = (file) => relative(folder, file).split(sep)[0];
  const arrows = new Set();
  for (const file of shipped.filter((path) => path.startsWith(folder))) {
    if (!relative(folder, file).includes(sep)) continue;
    for (const [, target] of read(file).matchAll(/from '(\.[^']+)'/g)) {
      const path = normalize(join(dirname(file), target));
      const [from, to] = [sliceOf(file), sliceOf(path)];
      if (relative(folder, path).includes(sep) && from !== to) arrows.add(`${from} ${to}`);
    }
  }
  const pairs = [...arrows].map((arrow) => arrow.split(' '));
  return {
    mutualSlicePairs: pairs.filter(([from, to]) => from < to && arrows.has(`${to} ${from}`)).length,
    upwardArrows: pairs.filter(([from, to]) => floorOf(from) <= floorOf(to)).length,
  };
}

/**
 * Counts the functions and files through which one withdrawal passes, from the HTTP request to the
 * request to the node. docs/one-withdrawal.md lists them.
 */
function withdrawal() {
  const [legs = ''] = LEGS_TO_THE_WIRE.exec(read('docs/one-withdrawal.md')) ?? [];
  const rows = [...legs.matchAll(/^\| \d+ .*`([^`]+)`\s*\|$/gm)];
  return {
    withdrawalFunctions: rows.length,
    withdrawalFiles: new Set(rows.map(([, file]) => file)).size,
  };
}

const all = (files) => files.map(read).join('\n');
const settings = new Set(
  [...read('docs/reference/configuration.md').matchAll(/^\| `([A-Z][A-Z0-9_]*)`/gm)].map(
    ([, name]) => name,
  ),
);
const ports = shipped.filter((file) => file.includes('/ports/'));
const composition = shipped.filter((file) => file.startsWith('packages/relayer/src/composition/'));
const measured = {
  ...slices(),
  ...withdrawal(),
  productionLines: shipped.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0),
  productionFiles: shipped.length,
  allSourceLines: sources.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0),
  allSourceFiles: sources.length,
  ports: count(all(ports), /^export abstract class /gm),
  bindings: count(all(composition), /\b(?:bind|provide(?:\.as)?)\(/g),
  compositionLines: all(composition).split('\n').length,
  settings: settings.size,
  packages: packageFolders().length,
};
if (measured.withdrawalFunctions === 0 || measured.settings === 0 || measured.ports === 0)
  throw new Error('a page or folder that is measured has moved');
if (process.argv.includes('--json')) console.log(JSON.stringify(measured));
else for (const [name, value] of Object.entries(measured)) console.log(`${name} ${value}`);
