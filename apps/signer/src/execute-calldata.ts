import type { Felt, Felts } from '@sotto/kernel';
import { Refused } from './refusal.js';

/** One call of a transaction, as the account executes it. */
export interface ExecutedCall {
  readonly to: Felt;
  readonly selector: Felt;
  readonly calldata: Felts;
}

/** Maximum number of calls in a transaction. The service sends transactions with one call. */
const MAX_CALLS = 8;
/** Number of felts before a call's arguments: target, selector and length. */
const HEADER_FELTS = 3;

const refused = (): Refused => new Refused('SIGNER_REFUSED_CALLDATA');

/**
 * Parses the calldata of a Cairo 1 `__execute__`, which must be exactly `[n, (to, selector, length,
 * …data) × n]`.
 * @throws Refused
 */
export function readExecute(calldata: Felts): readonly ExecutedCall[] {
  if (calldata.length === 0 || calldata.at(0) > BigInt(MAX_CALLS)) throw refused();
  const calls: ExecutedCall[] = [];
  let position = 1;
  for (let left = calldata.at(0); left > 0n; left -= 1n) {
    const start = position + HEADER_FELTS;
    if (start > calldata.length) throw refused();
    const length = calldata.at(position + 2);
    if (length > BigInt(calldata.length - start)) throw refused();
    const end = start + Number(length);
    calls.push({
      to: calldata.feltAt(position),
      selector: calldata.feltAt(position + 1),
      calldata: calldata.slice(start, end),
    });
    position = end;
  }
  if (position !== calldata.length) throw refused();
  return calls;
}
