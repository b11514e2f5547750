import { poseidon1 } from 'poseidon-lite/poseidon1';
import { poseidon2 } from 'poseidon-lite/poseidon2';

import { CircuitError } from './errors.js';

/**
 * Length of nullifier and secret: the most whole bytes that stay below BN254's 254-bit scalar
 * field.
 */
const NOTE_SECRET_BYTES = 31;

const SECRET_LIMIT = 1n << BigInt(8 * NOTE_SECRET_BYTES);
const SECRET_DIGITS = 2 * NOTE_SECRET_BYTES;
const CHECKSUM_DIGITS = 8;
const PREFIX = 'sotto-note-1-';
const NOTE_TEXT = new RegExp(
  `^${PREFIX}([0-9a-f]{${SECRET_DIGITS}})([0-9a-f]{${SECRET_DIGITS}})([0-9a-f]{${CHECKSUM_DIGITS}})$`,
);

/**
 * The right to withdraw one deposit. Any holder of `nullifier` and `secret` can spend it;
 * `commitment` is published with the deposit and `nullifierHash` with the withdrawal.
 */
export interface Note {
  /** Below 2^248. */
  readonly nullifier: bigint;
  /** Below 2^248. */
  readonly secret: bigint;
  /** Poseidon(nullifier, secret), as circuits/withdraw.circom defines it. */
  readonly commitment: bigint;
  /** Poseidon(nullifier). */
  readonly nullifierHash: bigint;
}

/** Fills and returns an array of `length` unpredictable bytes. */
export type RandomBytes = (length: number) => Uint8Array;

const cryptoRandom: RandomBytes = (length) =>
  globalThis.crypto.getRandomValues(new Uint8Array(length));

/**
 * A fresh note.
 * @param random source of the 31 bytes of each secret; replace it only where notes must be
 *   predictable.
 * @default random the platform's cryptographic generator
 */
export function createNote(random: RandomBytes = cryptoRandom): Note {
  return noteOf(toInteger(random(NOTE_SECRET_BYTES)), toInteger(random(NOTE_SECRET_BYTES)));
}

/**
 * The note of two known secrets.
 * @throws CircuitError NOTE_OUT_OF_RANGE when one is not in [0, 2^248).
 */
export function noteOf(nullifier: bigint, secret: bigint): Note {
  for (const part of [nullifier, secret]) {
    if (part < 0n || part >= SECRET_LIMIT)
      throw new CircuitError('NOTE_OUT_OF_RANGE', 'nullifier and secret must be in [0, 2^248)');
  }
  return {
    nullifier,
    secret,
    commitment: poseidon2([nullifier, secret]),
    nullifierHash: poseidon1([nullifier]),
  };
}

/**
 * `sotto-note-1-`, nullifier and secret (62 hex digits each), and the last 8 hex digits of the
 * commitment as checksum.
 */
export function serialiseNote(note: Note): string {
  const { nullifier, secret, commitment } = noteOf(note.nullifier, note.secret);
  return `${PREFIX}${toHex(nullifier)}${toHex(secret)}${checksum(commitment)}`;
}

/**
 * Reads what {@link serialiseNote} wrote.
 * @throws CircuitError NOTE_MALFORMED when the text has another form, NOTE_CHECKSUM_WRONG when it
 *   was mistyped.
 */
export function parseNote(text: string): Note {
  const [, nullifier, secret, sum] = NOTE_TEXT.exec(text) ?? [];
  if (nullifier === undefined || secret === undefined) {
    throw new CircuitError(
      'NOTE_MALFORMED',
      `a note is ${PREFIX} and ${2 * SECRET_DIGITS + CHECKSUM_DIGITS} lower-case hex digits`,
    );
  }
  const note = noteOf(BigInt(`0x${nullifier}`), BigInt(`0x${secret}`));
  if (checksum(note.commitment) !== sum)
    throw new CircuitError(
      'NOTE_CHECKSUM_WRONG',
      'the note is damaged: its checksum does not match',
    );
  return note;
}

function toInteger(bytes: Uint8Array): bigint {
  if (bytes.length !== NOTE_SECRET_BYTES)
    throw new CircuitError(
      'NOTE_OUT_OF_RANGE',
      `the random source must give ${NOTE_SECRET_BYTES} bytes`,
    );
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function toHex(value: bigint): string {
  return value.toString(16).padStart(SECRET_DIGITS, '0');
}

function checksum(commitment: bigint): string {
  return commitment.toString(16).padStart(CHECKSUM_DIGITS, '0').slice(-CHECKSUM_DIGITS);
}
