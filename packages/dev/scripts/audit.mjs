// Builds the service, then compares a ledger with its chain: `npm run audit -- --help` shows how.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

/** Nothing was read. Exit code 1 stands for contradictions. */
const UNREAD = 2;

const exitUnread = () => {
  process.exitCode = UNREAD;
};
process.on('exit', exitUnread);
build('@sotto/api');
process.off('exit', exitUnread);

const { status } = spawnSync(
  process.execPath,
  [join(root, 'apps', 'api', 'dist', 'audit.js'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(status ?? UNREAD);
