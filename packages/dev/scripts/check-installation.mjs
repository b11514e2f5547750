// Checks the packages as a consumer installs them with npm. The tarballs of a folder (`npm run
// pack` writes them to .sotto/packs) are installed into an empty project by the one tarball that
// refers to the others, together with tools that consumers use. The check imports every package in
// Node 22 and 24, compiles a strict consumer, bundles a wallet's packages with Vite, and runs attw.
// It needs a package registry. `npm test` does not run this script but a shorter check,
// check-packs.mjs.
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { browserProgram, followBrowserWallet, withStack } from './browser-wallet.mjs';
import { UMBRELLA, shippedPackages } from './packs.mjs';
import { say } from './run.mjs';

const exec = promisify(execFile);
const [folder = join('.sotto', 'packs')] = process.argv.slice(2);
const NODES = ['22', '24'];
const TOOLS = [
  'starknet@10.8.0',
  'vite@8.3.8',
  'typescript@6.0.2',
  '@types/node@24',
  '@arethetypeswrong/cli@0.18.5',
];
/** Packages that a wallet imports in a browser page. */
const PAGE = ['@sotto/client', '@sotto/facts', '@sotto/prover', '@sotto/wallet'];

const tarballs = readdirSync(folder)
  .filter((file) => file.endsWith('.tgz') && !file.startsWith(UMBRELLA))
  .map((file) => resolve(folder, file));
const packages = shippedPackages();
const umbrella = readdirSync(folder).find((file) => file.startsWith(UMBRELLA));
if (umbrella === undefined) throw new Error('no tarball installs all others: npm run pack');
if (tarballs.length !== packages.length)
  throw new Error(`${tarballs.length} tarballs of ${packages.length} packages: npm run pack`);

const consumer = realpathSync(mkdtempSync(join(tmpdir(), 'sotto-consumer-')));
process.on('exit', () => rmSync(consumer, { recursive: true, force: true }));
const write = (file, text) => writeFileSync(join(consumer, file), text);
const problems = [];

/** Environment without the variables that npx has set for this program. */
const { npm_config_call: _call, npm_config_package: _package, ...env } = process.env;

/**
 * Runs a program of the consumer. If the program fails, its output is printed and recorded as a
 * problem.
 */
async function step(title, command, args) {
  const startedMs = Date.now();
  try {
    await exec(command, args, { cwd: consumer, env, maxBuffer: 64 * 1024 * 1024 });
    say(`${title}: ${((Date.now() - startedMs) / 1_000).toFixed(1)} s`);
  } catch ({ stdout, stderr }) {
    problems.push(title);
    say(`${title}: FAILED\n${stdout}${stderr}`);
  }
}

write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
const installingMs = Date.now();
await step('npm install', 'npm', ['install', ...quiet, ...TOOLS, resolve(folder, umbrella)]);
const program = join(consumer, 'node_modules', '@sotto', 'dev', 'bundle', 'main.js');
if (browserProgram() === undefined) say('a wallet in a page: skipped, there is no browser');
else
  await withStack(program, consumer, async ({ helpersUrl }) => {
    const wallet = await followBrowserWallet({ project: consumer, helpersUrl });
    problems.push(...wallet.problems);
    const seconds = ((Date.now() - installingMs) / 1_000).toFixed(1);
    say(`from npm install to a withdrawal that has settled, ${wallet.lines} lines: ${seconds} s`);
  }).catch((error) => problems.push(error.message));

const entries = packages.flatMap(({ manifest: { name, exports } }) =>
  Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path]) => `${name}${path.slice(1)}`),
);
const imports = (specifiers) =>
  specifiers.map((specifier, index) => `import * as e${index} from '${specifier}';`).join('\n');
const namesOf = (specifiers) => specifiers.map((_, index) => `e${index}`).join(', ');
write(
  'imports.mjs',
  `${entries.map((specifier) => `await import('${specifier}');`).join('\n')}\nprocess.exit(0);\n`,
);
for (const version of NODES)
  await step(`every export in Node ${version}`, 'npx', [
    '--yes',
    '--package',
    `node@${version}`,
    'node',
    'imports.mjs',
  ]);

write('consumer.ts', `${imports(entries)}\nexport const all = [${namesOf(entries)}];`);
const strict = ['--strict', '--noEmit', '--target', 'es2023', '--module', 'nodenext'];
await step('types of every export', 'npx', [
  'tsc',
  ...strict,
  '--lib',
  'es2024',
  '--types',
  'node',
  '--skipLibCheck',
  'false',
  'consumer.ts',
]);

mkdirSync(join(consumer, 'src'));
write('index.html', '<!doctype html><script type="module" src="/src/page.js"></script>');
write('src/page.js', `${imports(PAGE)}\nglobalThis.all = [${namesOf(PAGE)}];`);
await step('a page with Vite', 'npx', ['vite', 'build', '--logLevel', 'warn']);
for (const file of problems.length > 0
  ? []
  : readdirSync(join(consumer, 'dist'), { recursive: true, encoding: 'utf8' }))
  if (/\.(?:js|wasm)$/.test(file)) {
    const path = join(consumer, 'dist', file);
    if (/\brequire\(["']node:|from\s*["']node:/.test(readFileSync(path, 'latin1')))
      problems.push(`${file} of the page needs Node`);
    say(`  ${file}: ${Math.round(statSync(path).size / 1_000)} kB`);
  }

for (const tarball of tarballs)
  await step(`attw ${tarball.split('/').at(-1)}`, 'npx', [
    'attw',
    '--profile',
    'esm-only',
    tarball,
  ]);

say(`${packages.length} packages, ${entries.length} exports, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
