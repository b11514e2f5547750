import { DatabaseSync } from 'node:sqlite';

/**
 * Copies what has been committed from the log into the database's file, as far as no reader is in
 * the way. No writer or reader waits.
 */
export default function checkpoint(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma wal_checkpoint(passive)');
  } finally {
    database.close();
  }
}
