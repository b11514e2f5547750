// Builds one of the programs below, then runs it. The first argument is the program's name; the
// other arguments are passed to the program.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

const programs = {
  /** Prints the value of ACCEPT_EMPTY_LEDGER that the service needs at its first start. */
  'accept-ledger': { build: '@sotto/cli', file: 'apps/cli/dist/main.js', first: 'accept-ledger' },
  /**
   * Compares a ledger with its chain. Exit code 1 means contradictions; 2 means that some data
   * could not be read.
   */
  audit: { build: '@sotto/cli', file: 'apps/cli/dist/main.js', first: 'audit', failure: 2 },
  bench: { build: '@sotto/bench', file: 'packages/dev/bench/dist/main.js' },
  deploy: { build: '@sotto/deployment', file: 'packages/dev/deployment/dist/main.js' },
  endure: { build: '@sotto/endurance', file: 'packages/dev/endurance/dist/main.js' },
  /**
   * Runs the sources directly, without a build. Only the thread that checkpoints a SQLite file
   * needs the build.
   */
  simulate: { build: '@sotto/adapter-store', file: 'packages/dev/simulation/scripts/simulate.mjs' },
};

const [name, ...args] = process.argv.slice(2);
const { build: target, file, first, failure = 1 } = programs[name];
const allArgs = first === undefined ? args : [first, ...args];
if (target !== undefined) build(target, failure);

const { status } = spawnSync(process.execPath, [join(root, file), ...allArgs], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? failure);
