import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';

import { WalletError } from '../errors.js';
import { SCALAR_FIELD, feltOf, type FeltInput } from '../fields.js';
import { noteOf, type Note } from './note.js';

/** Maximum note index: indices are unsigned 32-bit numbers. */
export const MAX_NOTE_INDEX = 2 ** 32 - 1;

/** Chain, pool and index that identify one note of a seed. */
export interface NoteLocation {
  readonly chainId: FeltInput;
  /** Pool in which the note is deposited. For the note of a private swap, this is the swap pool. */
  readonly pool: FeltInput;
  /** Index of the note, counted from 0 for each pool of each chain. */
  readonly index: number;
}

/**
 * Function that derives the notes of one seed (docs/note-keys.md). Keep it as secret as the seed.
 */
export interface NoteKeys {
  /**
   * Returns the same note for the same location, in every version of this package.
   * @throws WalletError FELT_MALFORMED if chain or pool is not a felt; NOTE_INDEX_OUT_OF_RANGE
   *   unless the index is an integer from 0 to 2^32 − 1
   */
  note(location: NoteLocation): Note;
}

const LEAST_SEED_BYTES = 32;
/**
 * Number of derived bytes: 130 bits more than an element of the field has, so that the bias of the
 * reduction modulo r is below 2^-128.
 */
const OKM_BYTES = 48;
const TAG = new TextEncoder().encode('sotto-note-key-1');
const ROLES = { nullifier: 1, secret: 2 } as const;

/**
 * Creates the note keys of a seed. If a wallet has stored only the seed, it can find its deposits
 * again with `recoverNotes`.
 * @param seed at least 32 bytes from a cryptographic generator, or the 64 bytes of a BIP-39 seed.
 *   Never use a signature: if a page gets the same message signed, it would own every note
 * @throws WalletError SEED_UNSUITABLE if the seed is shorter, not bytes, or one byte repeated
 */
export function deriveNoteKeys(seed: Uint8Array): NoteKeys {
  if (!(seed instanceof Uint8Array) || seed.length < LEAST_SEED_BYTES)
    throw new WalletError('SEED_UNSUITABLE', `a seed has at least ${LEAST_SEED_BYTES} bytes`);
  if (seed.every((byte) => byte === seed[0]))
    throw new WalletError('SEED_UNSUITABLE', 'the seed was never filled with random bytes');
  const pseudoRandomKey = extract(sha256, seed);
  return {
    note: (location) => {
      const info = infoOf(location);
      const part = (role: number): bigint =>
        nonZeroScalar((attempt) => expand(sha256, pseudoRandomKey, info(role, attempt), OKM_BYTES));
      return noteOf(part(ROLES.nullifier), part(ROLES.secret));
    },
  };
}

/**
 * Returns the first scalar that is not zero, from the attempts 0, 1, …. An attempt yields bytes,
 * which are read as a big-endian number modulo r. This number is zero with a probability of 2^-254.
 */
export function nonZeroScalar(attempted: (attempt: number) => Uint8Array): bigint {
  for (let attempt = 0; attempt < 256; attempt += 1) {
    const scalar = integerOf(attempted(attempt)) % SCALAR_FIELD;
    if (scalar !== 0n) return scalar;
  }
  throw new WalletError('SEED_UNSUITABLE', 'the seed gives no number that is not zero');
}

/**
 * Returns the 86 bytes for domain separation: tag, role, chain, pool, index, attempt. Each field
 * has a fixed length.
 */
function infoOf({ chainId, pool, index }: NoteLocation) {
  const chain = bytesOf(feltOf(chainId, 'the chain id'), 32);
  const address = bytesOf(feltOf(pool, 'the pool'), 32);
  if (!Number.isInteger(index) || index < 0 || index > MAX_NOTE_INDEX)
    throw new WalletError('NOTE_INDEX_OUT_OF_RANGE', 'a note index is from 0 to 2^32 − 1');
  const number = bytesOf(BigInt(index), 4);
  return (role: number, attempt: number): Uint8Array =>
    Uint8Array.from([...TAG, role, ...chain, ...address, ...number, attempt]);
}

function bytesOf(value: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) =>
    Number((value >> BigInt(8 * (length - 1 - index))) & 0xffn),
  );
}

function integerOf(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
