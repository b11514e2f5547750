import { DatabaseSync } from 'node:sqlite';

/**
 * Copies what has been committed from the log into the database's file, as far as no reader is in
 * the way. No writer or reader waits.
 * @returns how many bytes of pages the log has had
 */
export default function checkpoint(path: string): number {
  const database = new DatabaseSync(path);
  try {
    const pages = Number(database.prepare('pragma wal_checkpoint(passive)').get()?.['log']);
    return pages * Number(database.prepare('pragma page_size').get()?.['page_size']);
  } finally {
    database.close();
  }
}
