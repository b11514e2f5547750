import { DatabaseSync } from 'node:sqlite';

/**
 * Copies what has been committed from the log into the database's file, as far as no reader is in
 * the way. No writer or reader waits.
 * @returns how many pages the log has had
 */
export default function checkpoint(path: string): number {
  const database = new DatabaseSync(path);
  try {
    return Number(database.prepare('pragma wal_checkpoint(passive)').get()?.['log']);
  } finally {
    database.close();
  }
}
