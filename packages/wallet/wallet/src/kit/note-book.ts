import { WalletError } from '../errors.js';
import { raiseUsedNotes } from '../notes/next-note.js';
import type { NoteKeys } from '../notes/note-keys.js';
import type { Note } from '../notes/note.js';
import type { PoolView } from '../pools/pool-view.js';
import type { WalletStorage } from '../storage.js';

/** Note of the wallet's seed. */
export interface OwnNote {
  readonly index: number;
  readonly note: Note;
}

/** Finds the wallet's notes by their commitments among the used indices of a pool. */
export class NoteBook {
  /** Derived notes by pool address, in the sequence of their indices. */
  readonly #derived = new Map<string, OwnNote[]>();

  constructor(
    private readonly keys: NoteKeys,
    private readonly storage: WalletStorage,
  ) {}

  /**
   * @throws WalletError NOTE_UNKNOWN if no used index of the pool has this commitment; any error of
   *   the storage
   */
  async find(pool: PoolView, commitment: bigint): Promise<OwnNote> {
    const used = await raiseUsedNotes(this.storage, pool, (known) => known);
    const found = this.#upTo(pool, used).find(({ note }) => note.commitment === commitment);
    if (found === undefined)
      throw new WalletError('NOTE_UNKNOWN', 'the wallet has no such note in this pool');
    return found;
  }

  #upTo({ chainId, address }: PoolView, used: number): readonly OwnNote[] {
    const derived = this.#derived.get(address) ?? [];
    this.#derived.set(address, derived);
    for (let index = derived.length; index < used; index += 1)
      derived.push({ index, note: this.keys.note({ chainId, pool: address, index }) });
    return derived.slice(0, used);
  }
}
