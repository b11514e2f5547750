import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/**
 * Folders of the workspace's packages, from its root: `apps/<name>`, `packages/<area>/<name>`, and
 * `packages/relayer`, which is an area and a package.
 */
export function packageFolders() {
  const areas = readdirSync(join(root, 'packages')).map((area) => join('packages', area));
  return ['apps', ...areas]
    .flatMap((area) => [area, ...readdirSync(join(root, area)).map((name) => join(area, name))])
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/** Says what comes, on the error stream so that results stay alone on the other. */
export function say(text) {
  console.error(`sotto · ${text}`);
}

/** Runs one command in the project's root with its output shown; returns its exit code. */
export function run(command, args, { env = {}, quiet = false } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...env },
  });
  if (error) throw error;
  if (quiet && status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status ?? 1;
}

/** The same beside other commands, for so long at most. Its output is shown when it has ended. */
export async function runBeside(command, args, { timeoutMs }) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  const written = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => written.push(chunk));
  const [code, signal] = await once(child, 'close');
  process.stderr.write(Buffer.concat(written));
  if (signal !== null) say(`${command} ${args.join(' ')} was ended by ${signal}`);
  return code ?? 1;
}
