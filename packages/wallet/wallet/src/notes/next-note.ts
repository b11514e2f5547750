import { WalletError } from '../errors.js';
import { feltOf, toHex } from '../fields.js';
import type { PoolView } from '../pools/pool-view.js';
import type { WalletStorage } from '../storage.js';
import { MAX_NOTE_INDEX, type NoteKeys } from './note-keys.js';
import type { Note } from './note.js';

/** The part of a pool that identifies its notes. */
export type PoolName = Pick<PoolView, 'chainId' | 'address'>;

/** Note and its index. `keys.note` returns the same note for this index. */
export interface IndexedNote {
  readonly index: number;
  readonly note: Note;
}

const COUNT = /^(?:0|[1-9][0-9]{0,9})$/;

/**
 * Returns the note of the next unused index. The index is stored as used before the note is
 * returned, so no other call gets it, in any tab that shares the storage. Indices whose notes are
 * leaves of the pool are skipped, in case the storage was cleared.
 *
 * Deposit the note. A run of more than 20 notes (recovery's gap limit) that are never deposited
 * hides the notes behind it.
 * @param pool chain id and address, or better the pool as last read
 * @throws WalletError NOTE_INDEX_OUT_OF_RANGE after 2^32 notes, STORAGE_MALFORMED if the stored
 *   value was not written by this package, and any error of the storage
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
 * Raises the number of used indices; never lowers it.
 * @returns the previous number
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
    // A failed write means that another call got its index, so every call ends.
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
