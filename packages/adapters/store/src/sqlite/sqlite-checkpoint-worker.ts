import { DatabaseSync } from 'node:sqlite';

export interface CheckpointTask {
  readonly path: string;
  /**
   * Mode of the checkpoint. `passive` copies until a reader blocks it, and blocks no reader or
   * writer. `truncate` copies everything and truncates the log; it waits for readers at most {@link
   * TRUNCATE_TIMEOUT_MS}.
   */
  readonly mode: 'passive' | 'truncate';
}

export interface Checkpointed {
  /** True if a reader or a writer blocked the checkpoint. */
  readonly isBusy: boolean;
  /** Size of the pages in the log, in bytes. */
  readonly bytes: number;
}

/** Timeout in milliseconds; no call uses the store's own connection during that time. */
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
