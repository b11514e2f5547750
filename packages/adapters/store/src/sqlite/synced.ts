import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Syncs to disk the content of a file, or the entries of a directory. */
export function synced(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
