// Puts the programs of production, and nothing else, into one empty folder: service, keeper, signer
// and command line with their packages, without sources, tests, declarations and maps, with
// sbom.json and RELEASE-NOTES.md. Nothing in it names the checkout or the folder: it may be moved.
//   npm run bundle-production -- [--built] [folder]        default: .sotto/production
// With --built nothing is built before. SOTTO_COMMIT names the commit where there is no repository.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run, say } from './run.mjs';

const APP = '@sotto/production';
const { values, positionals } = parseArgs({
  options: { built: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const folder = resolve(root, positionals[0] ?? join('.sotto', 'production'));
/** Files that no process reads: declarations, maps, texts of packages except their licences. */
const UNREAD = /\.(?:d\.[cm]?ts|map|md|markdown|tsbuildinfo)$/i;
const LICENCE = /^(?:licen[cs]e|notice|copying|third)/i;
/** In our own packages: the sources, and files left by builds and tests. */
const OWN_SOURCES =
  /^(?:src|test|scripts|examples|coverage|\.turbo|(?:jest|tsconfig|turbo|test-results)\..*)$/;
/** A folder of one of our packages: its name, and after it the path of its sources. */
const OWN_FOLDER = /(@sotto\+[a-z0-9-]+)@[^/]+/;

if (existsSync(folder) && readdirSync(folder).length > 0) {
  say(`${folder} is not empty`);
  process.exit(1);
}
if (!values.built)
  succeed('turbo', ['run', 'build', `--filter=${APP}...`, '--output-logs=errors-only']);
mkdirSync(folder, { recursive: true });
// `pm` comes first: a script of the name `deploy` would be run instead.
succeed('pnpm', ['pm', '--filter', APP, '--prod', 'deploy', folder]);
const sbom = ['sbom', '--prod', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
succeed('pnpm', ['--filter', APP, ...sbom, '--out', join(folder, 'sbom.json')]);

for (const name of readdirSync(folder))
  if (!['node_modules', 'sbom.json'].includes(name))
    rmSync(join(folder, name), { recursive: true });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = { name: APP, version, private: true, license: 'MIT', type: 'module' };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

const modules = join(folder, 'node_modules');
nameNeutrally(join(modules, '.pnpm'));
prune(modules);
copyFileSync(join(root, 'docs', 'release-notes.md'), join(folder, 'RELEASE-NOTES.md'));
bundleService(join(modules, '@sotto', 'api', 'dist'));
linkPrograms(join(modules, '@sotto'), join(modules, '.bin'));
nameCommit(join(modules, '.pnpm', '@sotto+relayer', 'node_modules', '@sotto', 'relayer'));
// Files that pnpm keeps for a later installation name the path of the checkout.
for (const name of ['.modules.yaml', '.pnpm-workspace-state-v1.json', '.pnpm/lock.yaml'])
  rmSync(join(modules, name), { force: true });
console.log(
  `${(bytesIn(folder) / 1e6).toFixed(0)} MB in ${relative(process.cwd(), folder) || '.'}`,
);

function succeed(command, args) {
  const status = run(command, args, { quiet: true });
  if (status !== 0) process.exit(status);
}

/** Removes the path of the checkout from the names of our packages' folders. */
function nameNeutrally(store) {
  for (const name of readdirSync(store)) {
    const neutral = name.replace(OWN_FOLDER, '$1');
    if (neutral === name) continue;
    // Two of one name would be one package with two sets of peers.
    if (existsSync(join(store, neutral))) throw new Error(`two folders of ${neutral}`);
    renameSync(join(store, name), join(store, neutral));
  }
}

/** Removes files that no process reads, points links to the new names, and follows none. */
function prune(directory) {
  const isOwn = /[\\/]@sotto[\\/][a-z-]+$/.test(directory);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const unread = entry.isFile() && UNREAD.test(entry.name) && !LICENCE.test(entry.name);
    // The starters of pnpm contain absolute paths.
    const isStarters = entry.name === '.bin';
    if (unread || isStarters || (isOwn && OWN_SOURCES.test(entry.name)))
      rmSync(path, { recursive: true });
    else if (entry.isSymbolicLink()) relink(path);
    else if (entry.isDirectory()) prune(path);
  }
}

function relink(path) {
  const target = readlinkSync(path);
  const neutral = target.replace(OWN_FOLDER, '$1');
  if (neutral === target) return;
  rmSync(path);
  symlinkSync(neutral, path);
}

/**
 * Puts the service's modules into few files, which load in half the time of a thousand. Files that
 * it finds or starts next to its packages' modules are found where they are here.
 */
function bundleService(dist) {
  const script = join(root, 'apps', 'api', 'scripts', 'bundle.mjs');
  const { status } = spawnSync(process.execPath, [script, realpathSync(dist)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  for (const name of readdirSync(dist))
    if (!/^service.*\.js$/.test(name)) rmSync(join(dist, name), { recursive: true });
  renameSync(join(dist, 'service.js'), join(dist, 'main.js'));
}

/** The commands of our programs, as links. */
function linkPrograms(packages, starters) {
  mkdirSync(starters);
  for (const name of readdirSync(packages)) {
    const { bin = {} } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
    for (const [command, file] of Object.entries(bin)) {
      const program = join(packages, name, file);
      chmodSync(program, 0o755);
      symlinkSync(relative(starters, program), join(starters, command));
    }
  }
}

/** Writes down the commit that the service was built from; none for a tree with changes. */
function nameCommit(relayer) {
  const commit =
    process.env.SOTTO_COMMIT ||
    (git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null);
  if (commit === null) return;
  const path = join(relayer, 'package.json');
  const content = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, `${JSON.stringify({ ...content, gitHead: commit }, null, 2)}\n`);
}

/** The output of a git command in the checkout; null without a repository. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function bytesIn(directory) {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return sum + bytesIn(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}
