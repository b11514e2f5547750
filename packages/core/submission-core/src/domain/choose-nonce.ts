import { isFree, type OpenNonce } from './rows.js';

/**
 * Lowest free nonce that the chain has not passed, or the lane's next one. The rows alone decide;
 * there is no separate counter.
 */
export interface NonceChoice {
  readonly nonce: bigint;
  /** Version of the nonce's row; 0 for a nonce without a row. */
  readonly version: number;
}

/**
 * Chooses the nonce for an attempt.
 * @param open the lane's open nonces, lowest first
 * @param nextNonce one above the highest nonce that the ledger is known to have held; newer open
 *   rows may exist
 * @param accountNonce the account's nonce at ACCEPTED_ON_L2: all lower nonces are consumed
 * @returns null while the chain has passed nonces that have no row yet
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
