import { isFree, type OpenNonce } from './rows.js';

/**
 * Lowest free nonce that the chain has not passed, else the lane's next one; never a counter of its
 * own.
 */
export interface NonceChoice {
  readonly nonce: bigint;
  /** Of its row; 0 for a nonce that has none yet. */
  readonly version: number;
}

/**
 * @param open the lane's open nonces, lowest first
 * @param nextNonce one above the highest nonce that the ledger is known to have held; open rows may
 *   have come since
 * @param accountNonce the account's nonce at ACCEPTED_ON_L2: what is below has been consumed
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
