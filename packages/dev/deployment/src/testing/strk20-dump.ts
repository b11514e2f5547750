import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { Integer } from '../node/wire.js';

/** Ends of a dump's file name; the description has another end instead. */
const DUMP_NAME = /\.json(?:\.gz)?$/;

const Description = z.object({
  timestamp: z.int(),
  contract_address: Integer,
  alice_address: Integer,
  alice_viewing_key: Integer,
  strk_token: Integer,
});

/** Devnet dump with the real privacy pool (STRK20). */
export interface Strk20Dump {
  /** Path of the dump as JSON. */
  readonly file: string;
  /** Clock of devnet when the dump was made, in seconds since the Unix epoch. */
  readonly startTime: number;
  readonly pool: bigint;
  readonly strk: bigint;
  /** First account of devnet, who has a note in the pool. */
  readonly user: { readonly address: bigint; readonly viewingKey: bigint };
}

/**
 * Returns the path of the dump that STRK20_DUMP names; undefined if the variable is not set. The
 * dump is a file of the pool's public repository, `.json` or `.json.gz`, and its description
 * `.metadata.json` is in the same folder.
 */
export function findStrk20Dump(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const named = env['STRK20_DUMP'];
  return named === undefined || named === '' ? undefined : named;
}

/**
 * Reads a dump's description, and unpacks a compressed dump.
 * @param folder folder for the unpacked dump
 * @throws Error if a file is missing or has another schema
 */
export function readStrk20Dump(path: string, folder: string): Strk20Dump {
  if (!DUMP_NAME.test(path)) throw new Error('STRK20_DUMP must name a .json or .json.gz file');
  const text = readFileSync(path.replace(DUMP_NAME, '.metadata.json'), 'utf8');
  const description = Description.parse(JSON.parse(text));
  return {
    file: path.endsWith('.gz') ? unpacked(path, folder) : path,
    startTime: description.timestamp,
    pool: description.contract_address,
    strk: description.strk_token,
    user: { address: description.alice_address, viewingKey: description.alice_viewing_key },
  };
}

function unpacked(path: string, folder: string): string {
  const file = join(folder, 'dump.json');
  writeFileSync(file, gunzipSync(readFileSync(path)));
  return file;
}
