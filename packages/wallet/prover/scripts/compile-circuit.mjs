import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Path of the circuit's source. */
export const CIRCUIT_FILE = fileURLToPath(new URL('../circuits/withdraw.circom', import.meta.url));

/**
 * Compiles the circuit in `folder` and returns the paths of its constraints and of its witness
 * generator.
 * @param {string} folder
 * @returns {Promise<{ readonly r1cs: string, readonly wasm: string }>}
 */
export async function compileCircuit(folder) {
  // circom2 reads only files below its working folder, so copy source and library into this folder.
  const library = dirname(require.resolve('circomlib/package.json'));
  await cp(join(library, 'circuits'), join(folder, 'circomlib', 'circuits'), {
    recursive: true,
    dereference: true,
  });
  await cp(CIRCUIT_FILE, join(folder, 'withdraw.circom'));
  await run(['withdraw.circom', '--O2', '--r1cs', '--wasm', '-l', '.', '-o', '.'], folder);
  return {
    r1cs: join(folder, 'withdraw.r1cs'),
    wasm: join(folder, 'withdraw_js', 'withdraw.wasm'),
  };
}

/**
 * @param {readonly string[]} options
 * @param {string} cwd
 */
async function run(options, cwd) {
  const compiler = spawn(process.execPath, [require.resolve('circom2/cli.js'), ...options], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [compiler.stdout, compiler.stderr])
    stream.on('data', (chunk) => (output += chunk));
  const exitCode = await new Promise((resolve, reject) =>
    compiler.once('error', reject).once('close', resolve),
  );
  if (exitCode !== 0) throw new Error(`circom2 ended with ${exitCode}\n${output}`);
}
