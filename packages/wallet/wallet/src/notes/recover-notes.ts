import { WalletError } from '../errors.js';
import type { Batch, PoolView } from '../pools/pool-view.js';
import type { WalletStorage } from '../storage.js';
import { raiseUsedNotes } from './next-note.js';
import { MAX_NOTE_INDEX, type NoteKeys } from './note-keys.js';
import type { Note } from './note.js';

/** Deposit whose note belongs to the seed. */
export type FoundNote<Pool extends PoolView = PoolView> = {
  readonly pool: Pool;
  /** Index of the note in the note keys. */
  readonly index: number;
  readonly note: Note;
  readonly leafIndex: number;
} & (
  | { readonly status: 'waiting' }
  | { readonly status: 'active'; readonly batch: Batch }
  | { readonly status: 'spent'; readonly transactionHash: string }
);

export interface RecoverNotesOptions<Pool extends PoolView = PoolView> {
  readonly keys: NoteKeys;
  /** All pools into which the wallet may have deposited, including swap pools. */
  readonly pools: readonly Pool[];
  /**
   * Number of consecutive indices without a deposit after which the search in a pool ends. @default
   * 20
   */
  readonly gapLimit?: number;
  /**
   * Storage that was passed to `nextNote`. The search covers at least the stored number of indices.
   * Afterwards, `nextNote` does not use the found indices again.
   */
  readonly storage?: WalletStorage;
  readonly signal?: AbortSignal;
}

/**
 * Finds every deposit of a seed on chain. The pools are refreshed and searched locally, so no node
 * request contains a note. If more than `gapLimit` unused indices precede a deposit, it is found
 * only with a larger limit, or with a storage that has counted its index.
 * @returns deposits, sorted by pool and index
 * @throws WalletError as {@link PoolView.refresh}, and any error of the storage;
 *   NOTE_INDEX_OUT_OF_RANGE unless the limit is an integer from 1 to 2^32 − 1
 */
export async function recoverNotes<Pool extends PoolView>({
  keys,
  pools,
  gapLimit = 20,
  storage,
  signal,
}: RecoverNotesOptions<Pool>): Promise<readonly FoundNote<Pool>[]> {
  if (!Number.isInteger(gapLimit) || gapLimit < 1 || gapLimit > MAX_NOTE_INDEX)
    throw new WalletError('NOTE_INDEX_OUT_OF_RANGE', 'the gap limit is from 1 to 2^32 − 1');
  await Promise.all(pools.map((pool) => pool.refresh(signal)));
  const found: FoundNote<Pool>[] = [];
  for (const pool of pools) {
    const used = storage === undefined ? 0 : await raiseUsedNotes(storage, pool, (known) => known);
    signal?.throwIfAborted();
    const ofPool = search({ keys, pool, gapLimit, used });
    const end = (ofPool.at(-1)?.index ?? -1) + 1;
    if (storage !== undefined) await raiseUsedNotes(storage, pool, () => end);
    found.push(...ofPool);
  }
  return found;
}

function search<Pool extends PoolView>({
  keys,
  pool,
  gapLimit,
  used,
}: {
  readonly keys: NoteKeys;
  readonly pool: Pool;
  readonly gapLimit: number;
  readonly used: number;
}): FoundNote<Pool>[] {
  const found: FoundNote<Pool>[] = [];
  let last = used + gapLimit - 1;
  for (let index = 0; index <= Math.min(last, MAX_NOTE_INDEX); index += 1) {
    const note = keys.note({ chainId: pool.chainId, pool: pool.address, index });
    const place = pool.placeOf(note.commitment);
    if (place === undefined) continue;
    last = Math.max(last, index + gapLimit);
    const { leafIndex, batch } = place;
    const transactionHash = pool.spentBy(note.nullifierHash);
    const of = { pool, index, note, leafIndex };
    if (transactionHash !== undefined) found.push({ ...of, status: 'spent', transactionHash });
    else
      found.push(
        batch === undefined ? { ...of, status: 'waiting' } : { ...of, status: 'active', batch },
      );
  }
  return found;
}
