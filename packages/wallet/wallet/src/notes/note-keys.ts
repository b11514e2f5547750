import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';

import { WalletError } from '../errors.js';
import { SCALAR_FIELD, feltOf, type FeltInput } from '../fields.js';
import { noteOf, type Note } from './note.js';

/** Indices are 32-bit numbers: 0 to this one. */
export const MAX_NOTE_INDEX = 2 ** 32 - 1;

/** Which note of a seed. */
export interface NoteLocation {
  readonly chainId: FeltInput;
  /** The pool that the note is deposited in; for the note of a private swap, the swap pool. */
  readonly pool: FeltInput;
  /** From 0, counted for each pool of each chain. */
  readonly index: number;
}

/** Makes the notes of one seed; docs/note-keys.md specifies how. As secret as the seed. */
export interface NoteKeys {
  /**
   * The same note for the same location, in every version of this package.
   * @throws WalletError FELT_MALFORMED for a chain or pool that is no felt; NOTE_INDEX_OUT_OF_RANGE
   *   unless the index is an integer from 0 to 2^32 − 1
   */
  note(location: NoteLocation): Note;
}

const LEAST_SEED_BYTES = 32;
/** 130 bits more than the field has, so that reduction prefers no value by more than 2^-128. */
const OKM_BYTES = 48;
const TAG = new TextEncoder().encode('sotto-note-key-1');
const ROLES = { nullifier: 1, secret: 2 } as const;

/**
 * The notes that a seed leads to, so that a wallet which has kept nothing but the seed finds its
 * deposits again with `recoverNotes`.
 * @param seed at least 32 bytes from a cryptographic generator, or the 64 bytes of a BIP-39 seed.
 *   Never a signature: a page that has the same message signed would own every note.
 * @throws WalletError SEED_UNSUITABLE when it is shorter, no bytes at all, or one byte repeated
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
 * The first of the attempts 0, 1, … whose bytes, big-endian and reduced modulo r, are not zero.
 * Each is zero with a probability of 2^-254.
 */
export function nonZeroScalar(attempted: (attempt: number) => Uint8Array): bigint {
  for (let attempt = 0; attempt < 256; attempt += 1) {
    const scalar = integerOf(attempted(attempt)) % SCALAR_FIELD;
    if (scalar !== 0n) return scalar;
  }
  throw new WalletError('SEED_UNSUITABLE', 'the seed gives no number that is not zero');
}

/** Tag, role, chain, pool, index, attempt: 86 bytes, each part of a fixed length. */
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
