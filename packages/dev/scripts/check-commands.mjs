// Runs each command of the root package.json in a clean checkout, until the command prints its
// first output. This finds files that a command needs but does not build. Run directly: `node
// packages/dev/scripts/check-commands.mjs`, or with the names of commands. `npm test` runs this
// script with `--brief`. `--brief` omits commands that differ from another command only by an
// argument.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, say } from './run.mjs';

/**
 * Time limit of one command on a slow machine, in ms. The first command also installs the
 * dependencies.
 */
const TIMEOUT_MS = 300_000;

/** Output of programs that print their usage for `--help`, or an error about the unknown option. */
const REQUESTED = { args: ['--help'], shows: /^usage|unknown option/im };
const VERSIONED = { args: ['--version'], shows: /^(?:version )?v?\d+\.\d+/im };
/**
 * Arguments of each command, and the output which shows that the command works. The script ends the
 * command after this output. Commands that build nothing run first, because a command that builds
 * could create files that they need.
 */
const COMMANDS = {
  mutation: REQUESTED,
  'bundle-production': REQUESTED,
  // Of ten runs, one uses a real SQLite file.
  simulate: { args: ['--runs', '10'], shows: /10 runs in/ },
  lint: { args: ['--version'], shows: /\d+\.\d+/ },
  typecheck: VERSIONED,
  format: VERSIONED,
  'format:check': VERSIONED,
  unused: VERSIONED,
  changeset: { args: ['--help'], shows: /changeset/i },
  // The command prints nothing if it finds no violation.
  boundaries: { args: [], shows: null },
  'contracts:build': { args: [], shows: /./ },
  'accept-ledger': REQUESTED,
  audit: REQUESTED,
  deploy: REQUESTED,
  bench: REQUESTED,
  'crash-matrix': REQUESTED,
  'keeper-matrix': REQUESTED,
  recovery: REQUESTED,
  attack: REQUESTED,
  chaos: REQUESTED,
  soak: REQUESTED,
  overload: REQUESTED,
  start: REQUESTED,
  'start:devnet': REQUESTED,
  pack: { args: [], shows: /building \d+ packages/ },
  build: { args: [], shows: /Packages in scope|Running build/ },
  test: { args: [], shows: /sotto · build/ },
  'test:devnet': { args: [], shows: /sotto · build/ },
};
/** Commands that start the same program as another command of the list. */
const SAME_PROGRAM = new Set([
  'format:check',
  'accept-ledger',
  'crash-matrix',
  'keeper-matrix',
  'recovery',
  'attack',
  'soak',
  'overload',
  'start:devnet',
  'test:devnet',
]);
/**
 * Commands that `npm test` also runs completely. With `--brief`, this shorter check is used for
 * them here.
 */
const IN_BRIEF = { boundaries: VERSIONED };
/** Lines that npm prints, and lines before the command's own output. */
const NOT_ITS_OWN = /^(?:> .*|sotto · (?:installing|building \().*)?$/;

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const unlisted = Object.keys(scripts).filter((name) => !Object.hasOwn(COMMANDS, name));
const requested = process.argv.slice(2).filter((name) => name !== '--brief');
const isBrief = process.argv.includes('--brief');
const wanted = Object.keys(COMMANDS).filter((name) =>
  requested.length === 0 ? !isBrief || !SAME_PROGRAM.has(name) : requested.includes(name),
);

const checkout = mkdtempSync(join(tmpdir(), 'sotto-commands-'));
const failures = unlisted.map((name) => `${name}: check-commands.mjs does not know it`);
try {
  copySources();
  for (const name of wanted) {
    const command = (isBrief && IN_BRIEF[name]) || COMMANDS[name];
    const written = await firstOutput(name, command);
    if (written !== null) failures.push(`${name}:\n${written}`);
  }
} finally {
  rmSync(checkout, { recursive: true, force: true });
}
for (const failure of failures) say(`npm run ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/**
 * Copies the files of the working tree that a clone of the repository would contain, including
 * uncommitted changes.
 */
function copySources() {
  const listed = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (listed.status !== 0) throw new Error('not a checkout of git');
  for (const file of listed.stdout.split('\0').filter((name) => name !== ''))
    if (existsSync(join(root, file)))
      cpSync(join(root, file), join(checkout, file), { recursive: true, verbatimSymlinks: true });
}

/** Returns null once the command has printed the expected output; otherwise its complete output. */
async function firstOutput(name, { args, shows }) {
  const child = spawn('npm', ['run', name, '--', ...args], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      // With this cache, packages that were already built from the same sources in the working tree
      // are not built again.
      TURBO_CACHE_DIR: process.env.TURBO_CACHE_DIR ?? join(root, '.turbo', 'cache'),
      TURBO_TELEMETRY_DISABLED: '1',
    },
  });
  let written = '';
  let isShown = false;
  const end = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const timer = setTimeout(end, TIMEOUT_MS);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      written += text;
      const own = written.split('\n').filter((line) => !NOT_ITS_OWN.test(line));
      if (shows === null || !shows.test(own.join('\n'))) return;
      isShown = true;
      end();
    });
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return isShown || (shows === null && code === 0) ? null : written;
}
