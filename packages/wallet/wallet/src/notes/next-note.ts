import { WalletError } from '../errors.js';
import { feltOf, toHex } from '../fields.js';
import type { PoolView } from '../pools/pool-view.js';
import type { WalletStorage } from '../storage.js';
import { storageInTime } from '../storage/storage-in-time.js';
import { MAX_NOTE_INDEX, type NoteKeys } from './note-keys.js';
import type { Note } from './note.js';

/** Chain id and address of a pool, which identify the pool's notes. */
export type PoolName = Pick<PoolView, 'chainId' | 'address'>;

/** Note and its index. `keys.note` with this index always returns this note. */
export interface IndexedNote {
  readonly index: number;
  readonly note: Note;
}

const COUNT = /^(?:0|[1-9][0-9]{0,9})$/;

/**
 * Returns the note of the next unused index. The index is stored as used before the note is
 * returned. So no second call gets this index, in any tab that shares the storage. If a note is
 * already a leaf of the pool, its index is skipped; this happens if the storage was cleared.
 *
 * Deposit every returned note. If more than 20 consecutive notes (recovery's gap limit) are never
 * deposited, recovery does not find the notes with higher indices.
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
 * Raises the stored number of used indices. If the stored number is higher, it does not change.
 * @returns the previous number
 */
export async function raiseUsedNotes(
  kept: WalletStorage,
  pool: PoolName,
  raised: (used: number) => number,
): Promise<number> {
  const storage = storageInTime(kept);
  const key = keyOf(pool);
  for (;;) {
    const text = await storage.read(key);
    const used = countOf(text);
    const next = raised(used);
    if (next > MAX_NOTE_INDEX + 1)
      throw new WalletError('NOTE_INDEX_OUT_OF_RANGE', 'all note indices of the pool are used');
    // A write fails only if another call has just raised the number. So in each round at least one
    // call succeeds, and the loop ends.
    if (next <= used || (await storage.replace(key, text, `${next}`))) return used;
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
