import { poseidon1 } from 'poseidon-lite/poseidon1';
import { poseidon2 } from 'poseidon-lite/poseidon2';

import { WalletError } from '../errors.js';
import { SCALAR_FIELD } from '../fields.js';

/**
 * Length in bytes of the nullifier and of the secret of a new note: the largest number of bytes
 * whose values are always below the order of BN254's 254-bit scalar field.
 */
const NOTE_SECRET_BYTES = 31;

const SHORT_LIMIT = 1n << BigInt(8 * NOTE_SECRET_BYTES);
const CHECKSUM_DIGITS = 8;
/**
 * Text of a note. Version 1 has 31 bytes each for nullifier and secret; version 2 accepts any
 * elements of the field.
 */
const NOTE_TEXT =
  /^sotto-note-(?:1-([0-9a-f]{62})([0-9a-f]{62})|2-([0-9a-f]{64})([0-9a-f]{64}))([0-9a-f]{8})$/;

/**
 * Note: the secret numbers that allow to withdraw one deposit. Any holder of `nullifier` and
 * `secret` can spend the note. `commitment` is published with the deposit and `nullifierHash` with
 * the withdrawal.
 */
export interface Note {
  /**
   * Number from 0 to r − 1, where r is the order of BN254's scalar field. The other three fields
   * are also in this range.
   */
  readonly nullifier: bigint;
  readonly secret: bigint;
  /** Poseidon(nullifier, secret), as defined in circuits/withdraw.circom. */
  readonly commitment: bigint;
  /** Poseidon(nullifier). */
  readonly nullifierHash: bigint;
}

/** Function that returns a new array of `length` unpredictable bytes. */
export type RandomBytes = (length: number) => Uint8Array;

const cryptoRandom: RandomBytes = (length) =>
  globalThis.crypto.getRandomValues(new Uint8Array(length));

/**
 * Creates a random note, which can be restored only from its text. `nextNote` creates notes that
 * can be restored from the wallet's seed.
 * @param random source of the 31 bytes of each secret; replace it only if notes must be predictable
 * @default random the platform's cryptographic generator
 */
export function createNote(random: RandomBytes = cryptoRandom): Note {
  return noteOf(toInteger(random(NOTE_SECRET_BYTES)), toInteger(random(NOTE_SECRET_BYTES)));
}

/**
 * Builds the note of a known nullifier and secret.
 * @throws WalletError NOTE_OUT_OF_RANGE unless both numbers are in [0, r) of BN254's scalar field
 */
export function noteOf(nullifier: bigint, secret: bigint): Note {
  for (const part of [nullifier, secret]) {
    if (part < 0n || part >= SCALAR_FIELD) {
      throw new WalletError(
        'NOTE_OUT_OF_RANGE',
        'nullifier and secret must be in [0, r) of the BN254 scalar field',
      );
    }
  }
  return {
    nullifier,
    secret,
    commitment: poseidon2([nullifier, secret]),
    nullifierHash: poseidon1([nullifier]),
  };
}

/**
 * Formats a note as `sotto-note-1-`, nullifier and secret (62 hex digits each), and the last 8 hex
 * digits of the commitment as checksum. Larger numbers are formatted as `sotto-note-2-` with 64
 * digits each.
 */
export function serialiseNote(note: Note): string {
  const { nullifier, secret, commitment } = noteOf(note.nullifier, note.secret);
  const [version, digits] =
    nullifier < SHORT_LIMIT && secret < SHORT_LIMIT ? ([1, 62] as const) : ([2, 64] as const);
  const hex = (value: bigint): string => value.toString(16).padStart(digits, '0');
  return `sotto-note-${version}-${hex(nullifier)}${hex(secret)}${checksum(commitment)}`;
}

/**
 * Parses the text of {@link serialiseNote}, in either version.
 * @throws WalletError NOTE_MALFORMED if the text has another format, NOTE_CHECKSUM_WRONG if it was
 *   mistyped, NOTE_OUT_OF_RANGE if a number exceeds the field
 */
export function parseNote(text: string): Note {
  const [, short1, short2, long1, long2, sum] = NOTE_TEXT.exec(text) ?? [];
  const [nullifier, secret] = [short1 ?? long1, short2 ?? long2];
  if (nullifier === undefined || secret === undefined) {
    throw new WalletError(
      'NOTE_MALFORMED',
      'a note is sotto-note-1- and 132, or sotto-note-2- and 136 lower-case hex digits',
    );
  }
  const note = noteOf(BigInt(`0x${nullifier}`), BigInt(`0x${secret}`));
  if (checksum(note.commitment) !== sum)
    throw new WalletError(
      'NOTE_CHECKSUM_WRONG',
      'the note is damaged: its checksum does not match',
    );
  return note;
}

function toInteger(bytes: Uint8Array): bigint {
  if (bytes.length !== NOTE_SECRET_BYTES)
    throw new WalletError(
      'NOTE_OUT_OF_RANGE',
      `the random source must give ${NOTE_SECRET_BYTES} bytes`,
    );
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function checksum(commitment: bigint): string {
  return commitment.toString(16).padStart(CHECKSUM_DIGITS, '0').slice(-CHECKSUM_DIGITS);
}
