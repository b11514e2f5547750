import type { OpenNonce } from './rows.js';

/** The nonce that a lane gives to the next submission, and the rows to write first so that there are no gaps. */
export interface NonceChoice {
  readonly nonce: bigint;
  /** Nonces that the chain has passed without us, lowest first. */
  readonly missing: readonly bigint[];
}

/**
 * Lowest free nonce, else one above the highest row; never a counter of its own.
 * @param open the lane's open nonces, lowest first
 * @param nextNonce one above the highest row; null when the lane has none, which starts it at the chain's nonce
 * @param chainNonce the account's nonce at ACCEPTED_ON_L2: what is below has been taken
 */
export function chooseNonce(open: readonly OpenNonce[], nextNonce: bigint | null, chainNonce: bigint): NonceChoice {
  const free = open.find(
    ({ row, transactions }) => row.nonce >= chainNonce && row.owner === null && transactions.every(({ dead }) => dead),
  );
  if (free !== undefined) return { nonce: free.row.nonce, missing: [] };
  if (nextNonce === null || nextNonce >= chainNonce) return { nonce: nextNonce ?? chainNonce, missing: [] };
  const missing = Array.from({ length: Number(chainNonce - nextNonce) }, (_, index) => nextNonce + BigInt(index));
  return { nonce: chainNonce, missing };
}
