import type { Felt, Felts } from '@sotto/kernel';
import { signedBytesOf } from '../domain/signed-envelope.js';
import type { Ledger } from '../ports/ledger.port.js';

/**
 * Returns the encoding that calldata has in the bytes of fake transactions. These transactions are
 * not signed with a key.
 */
export function calldataText(calldata: Felts): Uint8Array {
  return new TextEncoder().encode(Buffer.from(calldata.toBytes()).toString('hex'));
}

/**
 * Returns the bytes of a fake transaction that the ledger has stored; null if they can't be
 * restored.
 */
export async function keptBytes(
  ledger: Pick<Ledger, 'signedParts'>,
  hash: Felt,
): Promise<Uint8Array | null> {
  const parts = await ledger.signedParts(hash);
  const calldata = parts?.calldata ?? null;
  const text = calldata === null ? null : calldataText(calldata);
  const bytes = parts === null ? null : signedBytesOf(parts.envelope, text);
  return bytes === null ? null : Uint8Array.from(bytes);
}
