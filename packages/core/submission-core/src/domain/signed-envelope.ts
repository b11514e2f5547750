import { createHash } from 'node:crypto';
import type { Felts } from '@sotto/kernel';
import type { SignedTransaction } from './events.js';
import type { CallTarget } from './rows.js';

/**
 * Stored bytes of a signed transaction, without the calldata of its call. The calldata is stored
 * once for all transactions of an attempt.
 */
export interface SignedEnvelope {
  /** Signed bytes without the calldata; all signed bytes if the transaction has no call. */
  readonly bytes: Uint8Array;
  /** Byte position at which the calldata was removed; null if no calldata was removed. */
  readonly calldataAt: number | null;
  /**
   * SHA-256 of the signed bytes; null for a row of an old release that stored the signed bytes
   * without removing the calldata.
   */
  readonly sha256: Uint8Array | null;
}

/** Data needed to send a stored transaction again. */
export interface SignedParts {
  readonly envelope: SignedEnvelope;
  /**
   * Target of the call whose calldata is not part of the envelope; null if the envelope contains
   * all signed bytes.
   */
  readonly target: CallTarget | null;
  /**
   * Calldata of the attempt whose call the transaction executes; null without a call, and after the
   * calldata was redacted.
   */
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
 * Restores the signed bytes. Null if the bytes can't be restored, because the calldata is redacted
 * or a stored value was altered.
 * @param text encoding of the calldata by the signer; null without calldata
 */
export function signedBytesOf(
  { bytes, calldataAt, sha256 }: SignedEnvelope,
  text: Uint8Array | null,
): Uint8Array | null {
  if (calldataAt === null) return ifUnaltered(bytes, sha256);
  if (text === null) return null;
  const whole = Buffer.concat([bytes.subarray(0, calldataAt), text, bytes.subarray(calldataAt)]);
  return ifUnaltered(whole, sha256);
}

function ifUnaltered(bytes: Uint8Array, sha256: Uint8Array | null): Uint8Array | null {
  return sha256 === null || digest(bytes).equals(sha256) ? bytes : null;
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
