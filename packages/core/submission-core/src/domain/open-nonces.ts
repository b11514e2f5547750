import type { WrittenRows } from './machine-state.js';
import { sameRef, type NonceRow, type OpenNonce } from './rows.js';

/** Version of a row right after its creation. */
const FIRST_VERSION = 1;

/**
 * Returns a lane's open nonces after a write, computed from `open`, which was read before the
 * write. Null if the result of the write does not contain all of the changed rows; then the caller
 * has to read the rows.
 */
export function afterWrite(
  open: readonly OpenNonce[],
  lane: NonceRow['lane'],
  written: WrittenRows,
): readonly OpenNonce[] | null {
  const { attempts = [], nonces = [], transactions = [] } = written;
  const after = new Map(open.map((nonce) => [nonce.row.nonce, nonce]));
  for (const row of nonces.filter((changed) => changed.lane === lane)) {
    const before = after.get(row.nonce);
    if (row.state === 'settled') {
      after.delete(row.nonce);
      continue;
    }
    // The written row is older than the row in memory, or versions in between are missing in
    // memory.
    if (row.version < (before?.row.version ?? 0)) return null;
    if (before === undefined && row.version !== FIRST_VERSION) return null;
    const owner =
      attempts.find((attempt) => sameRef(row.owner, attempt)) ??
      (sameRef(row.owner, before?.owner ?? null) ? (before?.owner ?? null) : null);
    if ((owner === null) !== (row.owner === null)) return null;
    after.set(row.nonce, { row, owner, transactions: before?.transactions ?? [] });
  }
  for (const row of transactions.filter((changed) => changed.lane === lane)) {
    const under = after.get(row.nonce);
    if (under === undefined) continue;
    const isKnown = under.transactions.some(({ hash }) => hash === row.hash);
    after.set(row.nonce, {
      ...under,
      transactions: isKnown
        ? under.transactions.map((stored) => (stored.hash === row.hash ? row : stored))
        : [...under.transactions, row],
    });
  }
  return [...after.values()].toSorted((a, b) => (a.row.nonce < b.row.nonce ? -1 : 1));
}
