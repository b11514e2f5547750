// Runs on whatever Node ≥ 20 is there, before anything is installed: brings the pinned pnpm and
// Node 24, then hands over to them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const say = (text) => console.error(`sotto · ${text}`);

const [task, ...args] = process.argv.slice(2);
const tasks = {
  start: ['packages/dev/scripts/start.mjs'],
  'start:devnet': ['packages/dev/scripts/start.mjs', '--devnet'],
  deploy: ['packages/dev/scripts/deploy.mjs'],
  'accept-ledger': ['packages/dev/scripts/accept-ledger.mjs'],
  'crash-matrix': ['packages/dev/scripts/endure.mjs', 'crash-matrix'],
  recovery: ['packages/dev/scripts/endure.mjs', 'recovery'],
  attack: ['packages/dev/scripts/endure.mjs', 'attack'],
  soak: ['packages/dev/scripts/endure.mjs', 'soak'],
  overload: ['packages/dev/scripts/endure.mjs', 'overload'],
  bench: ['packages/dev/scripts/bench.mjs'],
  audit: ['packages/dev/scripts/audit.mjs'],
  mutation: ['packages/dev/scripts/mutation.mjs'],
  simulate: ['packages/dev/scripts/simulate.mjs'],
  test: ['packages/dev/scripts/test.mjs'],
  'test:devnet': ['packages/dev/scripts/test.mjs', '--devnet'],
};
if (!Object.hasOwn(tasks, task))
  throw new Error(`unknown task; one of ${Object.keys(tasks).join(', ')}`);
if (Number(process.versions.node.split('.')[0]) < 20) {
  say(`Node ${process.versions.node} is too old to begin with; Node 20 or later is needed`);
  process.exit(1);
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pnpm = manifest.packageManager;

/**
 * Runs a command line with the pinned pnpm on its PATH; npm fetches it once and keeps it in its own
 * cache.
 */
function withPnpm(commandLine) {
  const { status, signal, error } = spawnSync(
    'npx',
    ['--yes', '--package', pnpm, '--call', commandLine],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        // What is started below ends when the caller of this does, and counts its seconds from
        // here.
        SOTTO_STARTED_BY: String(process.ppid),
        SOTTO_STARTED_MS: String(performance.timeOrigin),
        ...process.env,
        TURBO_TELEMETRY_DISABLED: '1',
        npm_config_update_notifier: 'false',
      },
    },
  );
  if (error) throw error;
  return signal ? 1 : (status ?? 1);
}

// What an installation depends on: when none of it has changed, the last one still holds.
const installed = createHash('sha256');
const packages = [
  ...['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name, 'package.json')),
  ),
  join('bench', 'package.json'),
];
for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...packages]) {
  if (existsSync(join(root, file))) installed.update(file).update(readFileSync(join(root, file)));
}
const digest = installed.digest('hex');
const stamp = join(root, 'node_modules', '.sotto', 'installed');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  say(
    `installing ${pnpm}, Node ${manifest.devDependencies.node} and the dependencies (half a minute with an empty cache)`,
  );
  const status = withPnpm('pnpm install --frozen-lockfile');
  if (status !== 0) {
    say('the installation failed; what went wrong stands above');
    process.exit(status);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

process.exit(withPnpm(['pnpm exec node', ...[...tasks[task], ...args].map(quoted)].join(' ')));

/** One shell word. */
function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
