// Runs the deterministic simulation of the submission machine on the sources as they stand: nothing
// has to be built for it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './run.mjs';

const program = join(root, 'packages', 'simulation', 'scripts', 'simulate.mjs');
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
