import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** File name of the program, which its installers add to the PATH. */
const PROGRAM = 'starknet-devnet';

/**
 * Returns the path of starknet-devnet: the file in STARKNET_DEVNET, otherwise the first such
 * program on the PATH. Returns undefined if the program is not installed.
 * @throws Error if STARKNET_DEVNET is not the path of an executable: a requested program is never
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
