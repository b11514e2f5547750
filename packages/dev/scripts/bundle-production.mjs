// Puts what runs in production, and nothing else, into one empty folder: service, keeper and
// command line with their packages, without sources, tests, declarations and maps, and sbom.json
// beside them.
//   npm run bundle-production -- [folder]        default: .sotto/production
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root, run, say } from './run.mjs';

const APP = '@sotto/production';
const folder = resolve(root, process.argv[2] ?? join('.sotto', 'production'));
/** What no process reads: declarations, maps, texts of packages but for their licences. */
const UNREAD = /\.(?:d\.[cm]?ts|map|md|markdown|tsbuildinfo)$/i;
const LICENCE = /^(?:licen[cs]e|notice|copying|third)/i;
/** Folders of our own packages that are built from, or tested with. */
const OWN_SOURCES = ['src', 'test', 'scripts', 'examples'];

if (existsSync(folder) && readdirSync(folder).length > 0) {
  say(`${folder} is not empty`);
  process.exit(1);
}
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
prune(modules);
// What pnpm keeps for a later installation names the place of the checkout.
for (const name of ['.modules.yaml', '.pnpm-workspace-state-v1.json', '.pnpm/lock.yaml'])
  rmSync(join(modules, name), { force: true });
console.log(
  `${(bytesIn(folder) / 1e6).toFixed(0)} MB in ${relative(process.cwd(), folder) || '.'}`,
);

function succeed(command, args) {
  const status = run(command, args, { quiet: true });
  if (status !== 0) process.exit(status);
}

/** Removes what no process reads, and follows no link. */
function prune(directory) {
  const isOwn = /[\\/]@sotto[\\/][a-z-]+$/.test(directory);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const unread = entry.isFile() && UNREAD.test(entry.name) && !LICENCE.test(entry.name);
    if (unread || (isOwn && OWN_SOURCES.includes(entry.name))) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) prune(path);
  }
}

function bytesIn(directory) {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return sum + bytesIn(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}
