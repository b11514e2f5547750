import type { Felt, Felts } from '@sotto/kernel';
import { signedBytesOf } from '../domain/signed-envelope.js';
import type { Ledger } from '../ports/ledger.port.js';

/** What stands for calldata in bytes that no key has signed. */
export function calldataText(calldata: Felts): Uint8Array {
  return new TextEncoder().encode(Buffer.from(calldata.toBytes()).toString('hex'));
}

/**
 * The bytes of a transaction of the fakes as the ledger still has them; null once they can't be put
 * together any more.
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
