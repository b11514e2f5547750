// Runs on any installed Node ≥ 20 before any dependency is installed. Fetches the pinned pnpm and
// Node 24, then runs the task with them.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFolders, root, run, say } from './run.mjs';

const [task, ...args] = process.argv.slice(2);
const tasks = {
  start: ['start.mjs'],
  'start:devnet': ['start.mjs', '--devnet'],
  deploy: ['program.mjs', 'deploy'],
  'accept-ledger': ['program.mjs', 'accept-ledger'],
  'crash-matrix': ['program.mjs', 'endure', 'crash-matrix'],
  'keeper-matrix': ['program.mjs', 'endure', 'keeper-matrix'],
  recovery: ['program.mjs', 'endure', 'recovery'],
  attack: ['program.mjs', 'endure', 'attack'],
  chaos: ['program.mjs', 'endure', 'chaos'],
  soak: ['program.mjs', 'endure', 'soak'],
  overload: ['program.mjs', 'endure', 'overload'],
  bench: ['program.mjs', 'bench'],
  audit: ['program.mjs', 'audit'],
  mutation: ['mutation.mjs'],
  simulate: ['program.mjs', 'simulate'],
  pack: ['pack.mjs'],
  'bundle-production': ['bundle-production.mjs'],
  test: ['test.mjs'],
  'test:devnet': ['test.mjs', '--devnet'],
  boundaries: ['check-boundaries.mjs'],
};
/** Tasks that run a tool in the root folder, without a script of this folder. */
const tools = {
  build: ['turbo', 'run', 'build'],
  // Each additional type checker would compute the types of the sources again, which doubles the
  // work.
  typecheck: ['tsc', '--checkers', '1'],
  lint: ['oxlint', 'packages', 'apps'],
  format: ['prettier', '--write', '.'],
  'format:check': ['prettier', '--check', '.'],
  unused: ['knip'],
  changeset: ['changeset'],
  'contracts:build': ['node', 'packages/dev/contracts/scripts/build-contracts.mjs'],
};
if (!Object.hasOwn(tasks, task) && !Object.hasOwn(tools, task))
  throw new Error(`unknown task; one of ${Object.keys({ ...tasks, ...tools }).join(', ')}`);
if (Number(process.versions.node.split('.')[0]) < 20) {
  say(`Node ${process.versions.node} is too old to begin with; Node 20 or later is needed`);
  process.exit(1);
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pnpm = manifest.packageManager;

/**
 * Runs a command line with the pinned pnpm on its PATH. npm fetches pnpm once and stores it in
 * npm's cache.
 * @param options options of `run`
 */
function withPnpm(commandLine, options) {
  const inRoot = `cd ${quoted(root)} && ${commandLine}`;
  return run('npx', ['--yes', '--package', pnpm, '--call', inRoot], {
    ...options,
    // In the root folder, npx would first read every manifest below node_modules, which needs
    // seconds.
    cwd: tmpdir(),
    env: {
      // The programs that this script starts end when the caller of this process ends. They measure
      // times from the start of this process.
      SOTTO_STARTED_BY: process.env.SOTTO_STARTED_BY ?? String(process.ppid),
      SOTTO_STARTED_MS: process.env.SOTTO_STARTED_MS ?? String(performance.timeOrigin),
      npm_config_loglevel: process.env.npm_config_loglevel ?? 'error',
      npm_config_update_notifier: 'false',
    },
  });
}

// Hash of the files that an installation depends on. If none of these files has changed, the last
// installation is still valid.
const installed = createHash('sha256');
const packages = packageFolders().map((folder) => join(folder, 'package.json'));
for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...packages]) {
  if (existsSync(join(root, file))) installed.update(file).update(readFileSync(join(root, file)));
}
const digest = installed.digest('hex');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.sotto', 'installed');
// If node_modules is a link, an installation here would replace the dependencies of the checkout to
// which the link points.
const isLink = lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;
if (!isLink && (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest)) {
  say(
    `installing ${pnpm}, Node ${manifest.devDependencies.node} and the dependencies (half a minute with an empty cache)`,
  );
  const status = withPnpm('pnpm install --frozen-lockfile', { quiet: true });
  if (status !== 0) {
    say('the installation failed; the error is printed above');
    process.exit(status);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

process.exit(
  withPnpm(['pnpm exec', ...[...commandOf(task), ...args].map(quoted)].join(' '), {
    stdin: 'inherit',
  }),
);

/** Returns the command and the arguments of a task. */
function commandOf(name) {
  if (Object.hasOwn(tools, name)) return tools[name];
  const [file, ...given] = tasks[name];
  return ['node', join('packages', 'dev', 'scripts', file), ...given];
}

/** Quotes a text as one argument for the shell. */
function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
