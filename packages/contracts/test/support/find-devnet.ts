import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file that STARKNET_DEVNET names, else the first `starknet-devnet` on PATH; undefined when there is none. */
export function findDevnet(): string | undefined {
  const named = process.env['STARKNET_DEVNET'];
  if (named !== undefined && named !== '') return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'starknet-devnet')).find((file) => existsSync(file));
}
