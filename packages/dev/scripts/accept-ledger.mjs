// Builds the service, then prints what ACCEPT_EMPTY_LEDGER has to be for its first start. Takes the
// service's own environment.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

build('@sotto/api');
const program = join(root, 'apps', 'api', 'dist', 'accept-ledger.js');
const { status } = spawnSync(process.execPath, [program], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
