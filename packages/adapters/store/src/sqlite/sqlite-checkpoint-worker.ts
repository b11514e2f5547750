import { DatabaseSync } from 'node:sqlite';

export interface CheckpointTask {
  readonly path: string;
  /**
   * `passive` copies as far as no reader is in the way, and no writer or reader waits. `truncate`
   * copies all and empties the file; it waits for readers at most {@link TRUNCATE_TIMEOUT_MS}.
   */
  readonly mode: 'passive' | 'truncate';
}

export interface Checkpointed {
  /** A reader or a writer was in the way. */
  readonly isBusy: boolean;
  /** How many bytes of pages the log has had. */
  readonly bytes: number;
}

/** No call has the store's own connection meanwhile. */
const TRUNCATE_TIMEOUT_MS = 1_000;

/** Copies what has been committed from the log into the database's file. */
export default function checkpoint({ path, mode }: CheckpointTask): Checkpointed {
  const timeout = mode === 'truncate' ? TRUNCATE_TIMEOUT_MS : 0;
  const database = new DatabaseSync(path, { timeout });
  try {
    const done = database.prepare(`pragma wal_checkpoint(${mode})`).get();
    const pageBytes = Number(database.prepare('pragma page_size').get()?.['page_size']);
    return { isBusy: done?.['busy'] !== 0, bytes: Number(done?.['log']) * pageBytes };
  } finally {
    database.close();
  }
}
