// Checks the packages as a consumer receives them: packs all packages that ship (or uses the
// tarballs of a folder) and unpacks them outside the workspace, as an installation would. There,
// each package can import only the packages that it declares. The script then imports every export.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { browserProgram, followBrowserWallet, withStack } from './browser-wallet.mjs';
import { packInto, shippedPackages } from './packs.mjs';
import { root, say } from './run.mjs';
import { tarballOf } from './tarball-of.mjs';

const exec = promisify(execFile);

/**
 * Minimum number of packages that the search must find. If it finds fewer, it has missed packages.
 */
const LEAST_PACKAGES = 25;
/**
 * Packages whose script at installation only prints. protobufjs compares the form of its version in
 * the manifest of the consumer; OpenTelemetry's SDK needs it.
 */
const HARMLESS = new Set(['protobufjs']);
/** Files that every package ships in addition to the files in `files` of its manifest. */
const ALWAYS = ['package.json', 'README.md', 'LICENSE'];
/** Paths of development files, which no package may ship. */
const NOT_SHIPPED =
  /\.(?:map|tsbuildinfo|spec\.[jt]s)$|^(?:jest\.|tsconfig|test-results)|(?:^|\/)node_modules\//;
/** Copied files of other libraries, which pages load. */
const COPIED = /^bundle\/files\//;
/** Document whose TypeScript blocks are compiled as part of the consumer. */
const DOCUMENT = join(root, 'docs', 'use-the-packages.md');
/** Document whose TypeScript blocks are compiled as part of a consumer in a browser. */
const BROWSER_DOCUMENT = join(root, 'docs', 'consumers', 'wallets.md');
/**
 * Document whose example program is run with the packed files, including workers and WebAssembly.
 */
const PROGRAM = join(root, 'packages', 'relayer', 'README.md');
/**
 * Exports that must not need Node. A test project that has only the types of the DOM compiles them.
 */
const FOR_BROWSERS = [
  '@sotto/prover',
  '@sotto/prover/development-keys',
  '@sotto/client',
  '@sotto/facts',
  '@sotto/relayer-core/fee-quote',
  '@sotto/wallet/advanced',
];

const problems = [];
const work = realpathSync(mkdtempSync(join(tmpdir(), 'sotto-packs-')));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const packages = await tarballs(process.argv[2]);
if (packages.length < LEAST_PACKAGES)
  problems.push(`only ${packages.length} packages ship: the check is blind`);
await Promise.all(packages.map(unpack));
for (const shipped of packages) install(shipped);
checkInstallScripts();
const exported = packages.flatMap(exportsOf);
for (const shipped of packages) checkFiles(shipped);

const consumer = join(work, 'consumer');
writeConsumer();
const entries = exported.filter(({ file }) => file.endsWith('.js'));
await Promise.all([
  checkImports(),
  checkTypes(),
  checkDevelopmentStack(),
  checkProgram(),
  ...packages.map(checkManifest),
]);
for (const problem of problems) say(problem);
say(`${packages.length} packages, ${exported.length} exports, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

/**
 * Returns the packages that ship, each with its tarball. If no folder of tarballs is given, the
 * packages are packed now.
 */
async function tarballs(folder) {
  const shipped = shippedPackages();
  if (folder === undefined) {
    const target = join(work, 'packs');
    mkdirSync(target);
    return packInto(target, shipped);
  }
  return shipped.map(({ manifest, ...rest }) => ({
    ...rest,
    manifest,
    tarball: resolve(folder, `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`),
  }));
}

/** Returns the node_modules folder that contains a package and the packages that it may import. */
function homeOf(name) {
  return join(work, 'installed', name, 'node_modules');
}

function placeOf(name) {
  return join(homeOf(name), name);
}

async function unpack({ manifest: { name }, tarball }) {
  mkdirSync(placeOf(name), { recursive: true });
  await exec('tar', ['-xzf', tarball, '-C', placeOf(name), '--strip-components=1']);
}

function readManifest(name) {
  return JSON.parse(readFileSync(join(placeOf(name), 'package.json'), 'utf8'));
}

/**
 * Links the dependencies of a packed manifest next to the package: our packages as unpacked, other
 * packages as installed in the workspace.
 */
function install({ folder, manifest: { name } }) {
  const packed = readManifest(name);
  if (packed.devDependencies !== undefined || packed.scripts !== undefined)
    problems.push(`${name}: its manifest has fields that apply to the workspace only`);
  for (const field of ['license', 'engines', 'files', 'sideEffects', 'exports'])
    if (packed[field] === undefined) problems.push(`${name}: its manifest has no ${field}`);
  for (const [dependency, range] of Object.entries({
    ...packed.dependencies,
    ...packed.peerDependencies,
  })) {
    const ours = packages.some(({ manifest }) => manifest.name === dependency);
    // Our names are not ours in any registry, so a tarball must name the other tarball.
    const isWanted = dependency.startsWith('@sotto/')
      ? range === `file:${tarballOf(dependency, packed.version)}`
      : /^[\d^~>=]/.test(range);
    if (!isWanted) problems.push(`${name}: ${dependency} is wanted as ${range}`);
    if (dependency.startsWith('@sotto/') && !ours) {
      problems.push(`${name}: needs ${dependency}, which does not ship`);
      continue;
    }
    link(
      ours ? placeOf(dependency) : realpathSync(join(root, folder, 'node_modules', dependency)),
      join(homeOf(name), dependency),
    );
  }
}

function link(target, path) {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/**
 * Checks that an installation runs no script of a third party. The check follows the dependencies
 * as their manifests declare them, because an override of this workspace does not apply to
 * consumers.
 */
function checkInstallScripts() {
  const seen = new Set();
  const visit = (place, dependent) => {
    if (seen.has(place)) return;
    seen.add(place);
    const {
      name,
      scripts = {},
      dependencies = {},
    } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    const run = ['preinstall', 'install', 'postinstall'].filter((script) => scripts[script]);
    if ((run.length > 0 || existsSync(join(place, 'binding.gyp'))) && !HARMLESS.has(name))
      problems.push(`${dependent}: ${name} runs a script at installation`);
    for (const dependency of Object.keys(dependencies)) {
      const [modules] = place.split(/(?<=\/node_modules)\/(?!.*\/node_modules\/)/);
      const found = [join(place, 'node_modules'), modules]
        .map((folder) => join(folder, dependency))
        .find((folder) => existsSync(folder));
      if (found === undefined) problems.push(`${name}: its dependency ${dependency} is not here`);
      else visit(realpathSync(found), dependent);
    }
  };
  for (const { folder, manifest } of packages)
    for (const dependency of Object.keys(manifest.dependencies ?? {}))
      if (!dependency.startsWith('@sotto/'))
        visit(realpathSync(join(root, folder, 'node_modules', dependency)), manifest.name);
}

/** Returns the files of a package, as paths relative to the package. */
function filesOf(name) {
  return readdirSync(placeOf(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(placeOf(name), join(entry.parentPath, entry.name)));
}

/**
 * Returns the imports that a package allows, each with the file that is imported. A pattern is
 * replaced by all files that match it.
 */
function exportsOf({ manifest: { name } }) {
  const files = new Set(filesOf(name));
  return Object.entries(readManifest(name).exports ?? {}).flatMap(([path, target]) => {
    const conditions = typeof target === 'string' ? { default: target } : target;
    const specifier = `${name}${path.slice(1)}`;
    if (conditions.default.endsWith('/*')) {
      const folder = conditions.default.slice('./'.length, -1);
      const named = [...files].filter((file) => file.startsWith(folder));
      if (named.length === 0) problems.push(`${specifier} names no file`);
      return named.map((file) => ({
        specifier: specifier.replace('*', file.slice(folder.length)),
        file,
        name,
      }));
    }
    for (const [condition, file] of Object.entries(conditions))
      if (!files.has(file.slice(2)))
        problems.push(`${specifier}: ${file} of ${condition} is not packed`);
    const file = conditions.default.slice(2);
    if (file.endsWith('.js') && conditions.types === undefined)
      problems.push(`${specifier} has no types`);
    return [{ specifier, file, name, types: conditions.types?.slice(2) }];
  });
}

/**
 * Compares the packed files with the files that exports and programs import, directly or
 * indirectly.
 */
function checkFiles({ manifest: { name } }) {
  const files = filesOf(name);
  for (const file of ALWAYS)
    if (!files.includes(file)) problems.push(`${name}: ${file} is not packed`);
  for (const file of files) {
    if (NOT_SHIPPED.test(file)) problems.push(`${name}: ${file} is packed`);
    const text = readFileSync(join(placeOf(name), file), 'latin1');
    if (text.includes(join(root, 'packages')))
      problems.push(`${name}: ${file} names a place of this machine`);
    // Debuggers and bundlers of a consumer search for the source map. Copied files are excluded,
    // because their authors ship them like this.
    const [, map] = /^\/\/# sourceMappingURL=(.+)$/m.exec(text) ?? [];
    if (map !== undefined && !COPIED.test(file) && !files.includes(join(dirname(file), map)))
      problems.push(`${name}: ${file} names a source map that is not packed`);
  }
  const reached = reachedIn(name);
  for (const file of files)
    if (file.startsWith('dist/') && !reached.has(file))
      problems.push(
        `${name}: ${file} is packed, and no export leads to it; of a source that is gone? npm run pack builds without it`,
      );
}

/**
 * Returns the files that exports and programs import through relative paths, in code and
 * declarations, directly or indirectly.
 */
function reachedIn(name) {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file) || !existsSync(join(placeOf(name), file))) return;
    reached.add(file);
    if (!/\.(?:js|d\.ts)$/.test(file)) return;
    const stem = file.replace(/\.(?:js|d\.ts)$/, '');
    visit(`${stem}.js`);
    visit(`${stem}.d.ts`);
    const text = readFileSync(join(placeOf(name), file), 'utf8');
    for (const [, path] of text.matchAll(/['"](\.{1,2}\/[^'"\n]+\.\w+)['"]/g)) {
      const named = relative(placeOf(name), resolve(placeOf(name), dirname(file), path));
      visit(named);
      // A declaration may import a module whose code was bundled into another module.
      visit(named.replace(/\.js$/, '.d.ts'));
    }
  };
  for (const { file, types = file } of exported.filter((one) => one.name === name))
    for (const reachable of [file, types]) visit(reachable);
  for (const file of Object.values(readManifest(name).bin ?? {})) visit(file.slice(2));
  return reached;
}

/** Checks the packed manifest, and the files in it, with publint. */
async function checkManifest({ manifest: { name } }) {
  const { messages, pkg } = await publint({ pkgDir: placeOf(name), pack: false, strict: true });
  // Only a publication replaces the references between tarballs by versions.
  const found = messages.filter(({ code }) => code !== 'LOCAL_DEPENDENCY');
  problems.push(...found.map((message) => `${name}: ${formatMessage(message, pkg)}`));
}

/** Creates a project in which all packages and the types of Node are installed. */
function writeConsumer() {
  for (const { manifest } of packages)
    link(placeOf(manifest.name), join(consumer, 'node_modules', manifest.name));
  link(
    realpathSync(join(root, 'node_modules', '@types', 'node')),
    join(consumer, 'node_modules', '@types', 'node'),
  );
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ type: 'module' }));
}

async function checkImports() {
  const readable = exported.filter(({ file }) => ['.js', '.json'].includes(extname(file)));
  const lines = readable.map(({ specifier, file }) => {
    const options = file.endsWith('.json') ? `, { with: { type: 'json' } }` : '';
    return `await attempt('${specifier}', () => import('${specifier}'${options}));`;
  });
  const program = `
    const failures = [];
    const attempt = async (specifier, load) => {
      try {
        await load();
      } catch (error) {
        failures.push(\`\${specifier}: \${error.message}\`);
      }
    };
    ${lines.join('\n')}
    console.log(JSON.stringify(failures));
    process.exit(0);
  `;
  writeFileSync(join(consumer, 'imports.js'), program);
  const { stdout } = await exec(process.execPath, ['imports.js'], { cwd: consumer });
  problems.push(...JSON.parse(stdout.trim().split('\n').at(-1)));
}

/** Starts the installed stack of @sotto/dev and relays a withdrawal. */
async function checkDevelopmentStack() {
  const { bin } = readManifest('@sotto/dev');
  const program = join(placeOf('@sotto/dev'), bin['sotto-dev']);
  await withStack(program, consumer, async ({ helpersUrl, serviceUrl }) => {
    const body = await post(`${helpersUrl}/ready-withdrawal`, { recipient: `0x${'1'.repeat(62)}` });
    const answer = await post(`${serviceUrl}/api/relayer/withdraw`, body);
    if (answer.execution_status !== 'SUCCEEDED')
      problems.push(`sotto-dev answered ${JSON.stringify(answer)}`);
    await checkBrowserWallet(helpersUrl);
  }).catch((error) => problems.push(error.message));
}

/**
 * Builds a web page from the packed files and runs it in a browser, from the creation of a note to
 * the settled withdrawal.
 */
async function checkBrowserWallet(helpersUrl) {
  if (browserProgram() === undefined) {
    say('a wallet in a page: skipped, there is no browser');
    return;
  }
  const starknet = realpathSync(join(root, 'apps', 'wallet-page', 'node_modules', 'starknet'));
  link(starknet, join(consumer, 'node_modules', 'starknet'));
  const wallet = await followBrowserWallet({ project: consumer, helpersUrl });
  problems.push(...wallet.problems);
  say(`a wallet in a page: ${wallet.lines} lines`);
}

async function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

/** Runs the example program from the consumer's folder, with the files of this checkout. */
async function checkProgram() {
  const block = /^```ts run\n([^]*?)^```\n\nIt prints\n\n```\n([^]*?)^```$/m;
  const [, code, printed] = block.exec(readFileSync(PROGRAM, 'utf8')) ?? [];
  if (code === undefined) return problems.push(`${PROGRAM} has no program`);
  const file = join(consumer, 'program.ts');
  writeFileSync(file, code);
  const { stdout } = await exec(process.execPath, [file], { cwd: root }).catch((error) => error);
  if (stdout !== printed) problems.push(`the program of ${PROGRAM} prints ${stdout}`);
}

async function checkTypes() {
  const specifiers = entries.map(({ specifier }) => specifier);
  await typeCheck('node', [imports(specifiers), ...examplesIn(DOCUMENT)], {
    lib: ['ES2024'],
    types: ['node'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
  });
  await typeCheck('browser', [imports(FOR_BROWSERS), ...examplesIn(BROWSER_DOCUMENT)], {
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    types: [],
    module: 'ESNext',
    moduleResolution: 'Bundler',
  });
}

function examplesIn(document) {
  const found = [...readFileSync(document, 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)];
  if (found.length === 0) problems.push(`${document} has no example`);
  return found.map(([, code]) => code);
}

function imports(specifiers) {
  const names = specifiers.map((_, index) => `e${index}`);
  return [
    ...specifiers.map((specifier, index) => `import * as ${names[index]} from '${specifier}';`),
    `export const all = [${names.join(', ')}];`,
  ].join('\n');
}

/** Compiles modules as a project would that also checks the types of all libraries. */
async function typeCheck(title, modules, compilerOptions) {
  const files = modules.map((_, index) => `${title}-${index}.ts`);
  for (const [index, code] of modules.entries()) writeFileSync(join(consumer, files[index]), code);
  const options = { target: 'ES2023', strict: true, skipLibCheck: false, noEmit: true };
  const project = `tsconfig.${title}.json`;
  writeFileSync(
    join(consumer, project),
    JSON.stringify({ compilerOptions: { ...options, ...compilerOptions }, files }),
  );
  try {
    await exec('tsc', ['-p', project, '--pretty', 'false'], { cwd: consumer });
  } catch ({ stdout }) {
    const errors = stdout.trim().split('\n');
    problems.push(...errors.map((error) => `types for ${title}: ${error}`));
  }
}
