import { isFree, type OpenNonce } from './rows.js';

/**
 * Nonce for an attempt: the lowest free nonce that the chain has not consumed, or else the lane's
 * next nonce. The choice depends on the rows alone; there is no separate counter.
 */
export interface NonceChoice {
  readonly nonce: bigint;
  /** Version of the nonce's row; 0 for a nonce without a row. */
  readonly version: number;
}

/**
 * Chooses the nonce for an attempt.
 * @param open open nonces of the lane, lowest first
 * @param nextNonce the highest nonce that the ledger has stored for the lane, plus one; newer open
 *   rows may exist
 * @param accountNonce nonce of the account at ACCEPTED_ON_L2: all lower nonces are consumed
 * @returns null while the chain has consumed nonces that have no row
 */
export function chooseNonce(
  open: readonly OpenNonce[],
  nextNonce: bigint,
  accountNonce: bigint,
): NonceChoice | null {
  const free = open.find((nonce) => nonce.row.nonce >= accountNonce && isFree(nonce));
  if (free !== undefined) return { nonce: free.row.nonce, version: free.row.version };
  const next = open.reduce(
    (highest, { row }) => (row.through >= highest ? row.through + 1n : highest),
    nextNonce,
  );
  return next < accountNonce ? null : { nonce: next, version: 0 };
}
