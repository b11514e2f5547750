// Builds the packages of the demonstration, then runs it until it ends or until this process is
// ended.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

const LOOK_UP_EVERY_MS = 500;

build('@sotto/demo');

const demo = spawn(
  process.execPath,
  [join(root, 'apps', 'demo', 'dist', 'main.js'), ...process.argv.slice(2)],
  {
    cwd: root,
    // When this process is killed, the IPC channel closes, and the demonstration notices this.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { SOTTO_STARTED_MS: String(performance.timeOrigin), ...process.env },
  },
);
demo.on('error', (error) => {
  throw error;
});
demo.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => demo.kill(signal));

// npm, npx and pnpm are parents of this process. A signal that ends one of these parents does not
// reach this process. So this process polls whether the parents are still running.
const above = [process.ppid, Number(process.env.SOTTO_STARTED_BY ?? process.ppid)];
setInterval(() => {
  if (!above.every(isAlive)) demo.kill('SIGTERM');
}, LOOK_UP_EVERY_MS).unref();

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
