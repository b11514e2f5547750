// Builds the endurance commands with all that they run, then runs the one that is named.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

build('@sotto/endurance');
const program = join(root, 'apps', 'endurance', 'dist', 'main.js');
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
