import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Says what comes, on the error stream so that results stay alone on the other. */
export function say(text) {
  console.error(`sotto · ${text}`);
}

/** Runs one command in the project's root with its output shown; returns its exit code, 1 when it took longer than `timeoutMs`. */
export function run(command, args, { env = {}, quiet = false, timeoutMs } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    encoding: 'utf8',
    timeout: timeoutMs,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...env },
  });
  if (error?.code === 'ETIMEDOUT') say(`${command} was ended after ${timeoutMs / 1_000} s`);
  else if (error) throw error;
  if (quiet && status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status ?? 1;
}
