// Builds the benchmark with all that it runs, then runs it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

build('@sotto/bench');
const { status } = spawnSync(
  process.execPath,
  [join(root, 'bench', 'dist', 'main.js'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
