import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Name of the program, as its own installers put it on the PATH. */
const PROGRAM = 'starknet-devnet';

/**
 * Where starknet-devnet is: the file that STARKNET_DEVNET names, else the first one on the PATH;
 * undefined without one.
 * @throws Error when STARKNET_DEVNET names something that cannot be run: a requested program is not
 *   silently replaced
 */
export function findDevnet(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const named = env['STARKNET_DEVNET'];
  if (named !== undefined && named !== '') {
    if (!isProgram(named)) throw new Error('STARKNET_DEVNET names no program that can be run');
    return named;
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, PROGRAM)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
