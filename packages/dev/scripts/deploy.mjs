// Builds the deployment and what it stands on, then runs it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

build('@sotto/deployment');
const program = join(root, 'packages', 'deployment', 'dist', 'main.js');
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
