import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CAIRO_FOLDER } from './cairo-sources.mjs';

const execute = promisify(execFile);

/**
 * @typedef {object} Compilers
 * @property {string} cairo path of `starknet-compile` (Cairo to Sierra)
 * @property {string} sierra path of `starknet-sierra-compile` (Sierra to CASM)
 */

/**
 * Finds the compilers named by the environment variables CAIRO_COMPILER and SIERRA_COMPILER, or on
 * PATH.
 * @returns {Compilers
 * undefined} undefined if either is missing
 */
export function findCompilers() {
  const cairo = find('CAIRO_COMPILER', 'starknet-compile');
  const sierra = find('SIERRA_COMPILER', 'starknet-sierra-compile');
  return cairo === undefined || sierra === undefined ? undefined : { cairo, sierra };
}

/**
 * @param {string} variable
 * @param {string} command
 */
function find(variable, command) {
  const named = process.env[variable];
  if (named !== undefined && named !== '') return named;
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((file) => existsSync(file));
}

/**
 * Compiles one contract in a crate that contains only the contract's own modules, so that no other
 * file affects the result.
 * @param {import('./cairo-sources.mjs').ContractSource} contract
 * @param {Compilers} compilers
 * @returns {Promise<{ readonly sierra: string, readonly casm: string }>} both classes as minified
 *   JSON
 * @throws {Error} if the compiler fails, with its output
 */
export async function compileContract({ path, modules }, compilers) {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-contracts-'));
  try {
    for (const module of modules)
      await copyFile(join(CAIRO_FOLDER, `${module}.cairo`), join(folder, `${module}.cairo`));
    await writeFile(
      join(folder, 'lib.cairo'),
      modules.map((module) => `mod ${module};\n`).join(''),
    );
    await writeFile(join(folder, 'cairo_project.toml'), '[crate_roots]\nsotto = "."\n');
    const sierraFile = join(folder, 'sierra.json');
    const casmFile = join(folder, 'casm.json');
    await run(compilers.cairo, ['--contract-path', path, folder, sierraFile]);
    await run(compilers.sierra, [sierraFile, casmFile]);
    // Remove the debug information. It contains function names for human readers. Neither hashes
    // nor nodes use it.
    const { sierra_program_debug_info: _, ...sierra } = JSON.parse(
      await readFile(sierraFile, 'utf8'),
    );
    return {
      sierra: JSON.stringify(sierra),
      casm: JSON.stringify(JSON.parse(await readFile(casmFile, 'utf8'))),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
async function run(command, args) {
  try {
    await execute(command, args);
  } catch (failure) {
    throw new Error(`${command} failed: ${failure.stderr ?? failure.message}`, { cause: failure });
  }
}
