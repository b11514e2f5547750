// Writes the production programs, and no other files, into an empty folder: service, keeper, signer
// and command line with their packages, sbom.json and RELEASE-NOTES.md. Sources, tests,
// declarations and maps are excluded. No file contains the path of the checkout or of the folder,
// so the folder may be moved.
//
// Usage: npm run bundle-production -- [--built] [folder]
//
// The default folder is .sotto/production. With --built, the script does not build the packages
// first. If there is no repository, the variable SOTTO_COMMIT supplies the commit.
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
/**
 * Names of files that no process reads: declarations, maps, and texts of packages except their
 * licences.
 */
const UNREAD = /\.(?:d\.[cm]?ts|map|md|markdown|tsbuildinfo)$/i;
const LICENCE = /^(?:licen[cs]e|notice|copying|third)/i;
/**
 * Names in our own packages that are removed: sources, and files that builds and tests have
 * created.
 */
const OWN_SOURCES =
  /^(?:src|test|scripts|examples|coverage|\.turbo|(?:jest|tsconfig|turbo|test-results)\..*)$/;
/**
 * Folder name of one of our packages in pnpm's store: the package's name, followed by the path of
 * its sources.
 */
const OWN_FOLDER = /(@sotto\+[a-z0-9-]+)@[^/]+/;

if (existsSync(folder) && readdirSync(folder).length > 0) {
  say(`${folder} is not empty`);
  process.exit(1);
}
if (!values.built)
  succeed('turbo', ['run', 'build', `--filter=${APP}...`, '--output-logs=errors-only']);
mkdirSync(folder, { recursive: true });
// Without `pm`, pnpm would run a script with the name `deploy` instead.
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
// These files contain the path of the checkout. pnpm would need them only for another installation
// in this folder, which never happens.
for (const name of ['.modules.yaml', '.pnpm-workspace-state-v1.json', '.pnpm/lock.yaml'])
  rmSync(join(modules, name), { force: true });
console.log(
  `${(bytesIn(folder) / 1e6).toFixed(0)} MB in ${relative(process.cwd(), folder) || '.'}`,
);

function succeed(command, args) {
  const status = run(command, args, { quiet: true });
  if (status !== 0) process.exit(status);
}

/**
 * Renames the folders of our packages, so that their names no longer contain the path of the
 * checkout.
 */
function nameNeutrally(store) {
  for (const name of readdirSync(store)) {
    const neutral = name.replace(OWN_FOLDER, '$1');
    if (neutral === name) continue;
    // Two folders would get the same name if pnpm installed a package twice, with two sets of peer
    // dependencies.
    if (existsSync(join(store, neutral))) throw new Error(`two folders of ${neutral}`);
    renameSync(join(store, name), join(store, neutral));
  }
}

/**
 * Removes files that no process reads and updates links to renamed folders. Links are not followed.
 */
function prune(directory) {
  const isOwn = /[\\/]@sotto[\\/][a-z-]+$/.test(directory);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const unread = entry.isFile() && UNREAD.test(entry.name) && !LICENCE.test(entry.name);
    // The start scripts that pnpm generates contain absolute paths.
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
 * Bundles the service's modules into a few files, which load in half the time of a thousand files.
 * Files that the service reads or starts next to its packages' modules remain in their packages.
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

/** Creates links to the commands of our programs. */
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

/**
 * Stores the commit from which the service was built; no commit if the working tree has changes.
 */
function nameCommit(relayer) {
  const commit =
    process.env.SOTTO_COMMIT ||
    (git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null);
  if (commit === null) return;
  const path = join(relayer, 'package.json');
  const content = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, `${JSON.stringify({ ...content, gitHead: commit }, null, 2)}\n`);
}

/** Returns the output of a git command in the checkout; null if the command fails. */
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
