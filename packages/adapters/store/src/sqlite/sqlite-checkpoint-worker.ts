import { DatabaseSync } from 'node:sqlite';

export interface CheckpointTask {
  readonly path: string;
  /**
   * Mode of the checkpoint. `passive` copies pages up to the first page that a reader still needs,
   * and blocks no reader or writer. `truncate` waits for readers for at most {@link
   * TRUNCATE_TIMEOUT_MS}, copies everything and truncates the log.
   */
  readonly mode: 'passive' | 'truncate';
}

export interface Checkpointed {
  /** True if a reader or a writer prevented a complete checkpoint. */
  readonly isBusy: boolean;
  /** Total size of the pages in the log, in bytes. */
  readonly bytes: number;
}

/**
 * Longest wait for readers in mode `truncate`, in milliseconds. No call uses the store's own
 * connection during this time.
 */
const TRUNCATE_TIMEOUT_MS = 1_000;

/** Copies committed pages from the log into the database file. */
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
