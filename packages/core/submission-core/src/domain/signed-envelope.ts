import { createHash } from 'node:crypto';
import type { Felts } from '@sotto/kernel';
import type { SignedTransaction } from './events.js';

/**
 * What is kept of the bytes of a signed transaction: all but the call's calldata, which is kept
 * already, once for every transaction of its attempt.
 */
export interface SignedEnvelope {
  /** The bytes without the calldata; all of them where there is no call. */
  readonly bytes: Uint8Array;
  /** Where in them the calldata was; null where nothing was taken out. */
  readonly calldataAt: number | null;
  /** SHA-256 of the bytes as they were signed; null for a row of a release that kept them whole. */
  readonly sha256: Uint8Array | null;
}

/** All that is needed to send a stored transaction again. */
export interface SignedParts {
  readonly envelope: SignedEnvelope;
  /** Of the attempt whose call it carries; null without one, and once it is wiped. */
  readonly calldata: Felts | null;
}

export function envelopeOf({ bytes, calldataAt }: SignedTransaction): SignedEnvelope {
  const sha256 = digest(bytes);
  if (calldataAt === null) return { bytes, calldataAt, sha256 };
  const { start, end } = calldataAt;
  return {
    bytes: Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]),
    calldataAt: start,
    sha256,
  };
}

/**
 * The bytes as they were signed; null where they can't be had any more: the calldata is wiped, or
 * one of both is not what it was.
 * @param text what the signer puts in the place of the calldata; null without any
 */
export function signedBytesOf(
  { bytes, calldataAt, sha256 }: SignedEnvelope,
  text: Uint8Array | null,
): Uint8Array | null {
  if (calldataAt !== null && text === null) return null;
  const whole =
    calldataAt === null || text === null
      ? bytes
      : Buffer.concat([bytes.subarray(0, calldataAt), text, bytes.subarray(calldataAt)]);
  return sha256 === null || digest(whole).equals(sha256) ? whole : null;
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
