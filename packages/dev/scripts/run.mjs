import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

// Makes writes to the error stream block. Otherwise `process.exit` would lose text that waits for a
// full pipe. Node has no public function for this.
// oxlint-disable-next-line no-underscore-dangle
process.stderr._handle?.setBlocking?.(true);

/**
 * Returns the folders of the workspace's packages, relative to the root: `apps/<name>`,
 * `packages/<area>/<name>`, and `packages/relayer`, which is both an area and a package.
 */
export function packageFolders() {
  const areas = readdirSync(join(root, 'packages')).map((area) => join('packages', area));
  return ['apps', ...areas]
    .flatMap((area) => [area, ...readdirSync(join(root, area)).map((name) => join(area, name))])
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .toSorted();
}

/** Prints a text to the error stream, so that standard output contains only results. */
export function say(text) {
  writeOut(Buffer.from(`sotto · ${text}\n`));
}

/**
 * Writes all bytes before it returns, because a stream's buffered data is lost when the process
 * exits.
 */
function writeOut(bytes) {
  for (let rest = bytes; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(process.stderr.fd, rest));
    } catch (error) {
      // The pipe is full and does not block, so the write must be tried again.
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/**
 * Runs one command and returns its exit code.
 * @param options `cwd` is the project's root by default; `quiet` prints the output only if the
 *   command fails
 */
export function run(command, args, options = {}) {
  const { cwd = root, env = {}, quiet = false, stdin = 'ignore' } = options;
  const runIt = (output) => {
    const { status, error } = spawnSync(command, args, {
      cwd,
      stdio: [stdin, output, output],
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...env },
    });
    if (error) throw error;
    return status ?? 1;
  };
  return quiet ? withOutputAside(runIt) : runIt('inherit');
}

const CLEAR_LINE = '\r\u001B[K';

/**
 * Shows elapsed seconds on a terminal while this thread waits.
 * @returns a function that ends the display
 */
function showProgress() {
  if (!process.stderr.isTTY) return () => {};
  const over = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { over, sinceMs: Date.now() };
  const thread = new Worker(new URL('progress.mjs', import.meta.url), { workerData });
  thread.unref();
  return () => {
    Atomics.store(over, 0, 1);
    void thread.terminate();
    writeSync(process.stderr.fd, CLEAR_LINE);
  };
}

/**
 * Runs a command whose output goes to a file, and prints the file if the exit code is not 0.
 * Returns the exit code.
 */
function withOutputAside(runIt) {
  const endProgress = showProgress();
  const folder = mkdtempSync(join(tmpdir(), 'sotto-output-'));
  const file = join(folder, 'output.log');
  const descriptor = openSync(file, 'a');
  try {
    const status = runIt(descriptor);
    endProgress();
    if (status !== 0) writeOut(readFileSync(file));
    return status;
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs a command in parallel with other commands, up to a time limit. Prints the output after the
 * command has ended.
 */
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
