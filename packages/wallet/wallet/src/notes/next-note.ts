import { WalletError } from '../errors.js';
import { feltOf, toHex } from '../fields.js';
import type { PoolView } from '../pools/pool-view.js';
import type { WalletStorage } from '../storage.js';
import { MAX_NOTE_INDEX, type NoteKeys } from './note-keys.js';
import type { Note } from './note.js';

/** Of a pool, as much as names its notes. */
export type PoolName = Pick<PoolView, 'chainId' | 'address'>;

/** A note that `keys.note` gives again for this index. */
export interface IndexedNote {
  readonly index: number;
  readonly note: Note;
}

const COUNT = /^(?:0|[1-9][0-9]{0,9})$/;

/**
 * The note of the next unused index, which is stored as used before the note is given: no other
 * call gets it, in any tab that shares the storage. Indices whose notes are leaves of the pool are
 * passed over, for a storage that was cleared. Deposit the note, or let recovery pass over it: more
 * than its gap limit (20) of notes in a row that are never deposited hide those behind them.
 * @param pool its name, or better the pool as it was read last
 * @throws WalletError NOTE_INDEX_OUT_OF_RANGE after 2^32 notes, STORAGE_MALFORMED when what is
 *   stored was not written by this package, and what the storage throws
 */
export async function nextNote({
  keys,
  pool,
  storage,
}: {
  readonly keys: NoteKeys;
  readonly pool: PoolName & Partial<Pick<PoolView, 'placeOf'>>;
  readonly storage: WalletStorage;
}): Promise<IndexedNote> {
  for (;;) {
    const index = await raiseUsedNotes(storage, pool, (used) => used + 1);
    const note = keys.note({ chainId: pool.chainId, pool: pool.address, index });
    if (pool.placeOf?.(note.commitment) === undefined) return { index, note };
  }
}

/**
 * Changes how many indices are used, never to fewer.
 * @returns how many were used before
 */
export async function raiseUsedNotes(
  storage: WalletStorage,
  pool: PoolName,
  raised: (used: number) => number,
): Promise<number> {
  const key = keyOf(pool);
  for (;;) {
    const kept = await storage.read(key);
    const used = countOf(kept);
    const next = raised(used);
    if (next > MAX_NOTE_INDEX + 1)
      throw new WalletError('NOTE_INDEX_OUT_OF_RANGE', 'all note indices of the pool are used');
    // Each time that this fails another call has got its index, so they all end.
    if (next <= used || (await storage.replace(key, kept, `${next}`))) return used;
  }
}

function keyOf({ chainId, address }: PoolName): string {
  const [chain, pool] = [feltOf(chainId, 'the chain id'), feltOf(address, 'the pool')];
  return `sotto/used-notes/${toHex(chain)}/${toHex(pool)}`;
}

function countOf(kept: string | undefined): number {
  if (kept === undefined) return 0;
  const count = COUNT.test(kept) ? Number(kept) : Number.NaN;
  if (!(count <= MAX_NOTE_INDEX + 1))
    throw new WalletError('STORAGE_MALFORMED', 'the stored number of used notes is no number');
  return count;
}
