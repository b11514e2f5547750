import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Variables } from '@sotto/process-kit';

/** Relative path to the source, which is valid from both `src` and `dist`. */
const SOURCE = fileURLToPath(new URL('../../native/count-disk.c', import.meta.url));
const NUMBER_BYTES = 8;

/** Bytes that a process has written to disk, and its syncs. */
export interface DiskUse {
  readonly bytes: number;
  readonly syncs: number;
}

/** Counts the bytes that a process writes to its files, and its syncs. */
export class DiskCounters {
  private constructor(
    /** Environment variables for the process whose writes are counted. */
    readonly env: Variables,
    private readonly file: string,
  ) {}

  /** Compiles the counting library into the folder. Returns null if no C compiler is installed. */
  static make(folder: string): DiskCounters | null {
    const library = join(folder, 'count-disk.so');
    const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) return null;
    const file = join(folder, 'count-disk.counters');
    writeFileSync(file, Buffer.alloc(2 * NUMBER_BYTES));
    return new DiskCounters({ LD_PRELOAD: library, DISK_COUNTERS: file }, file);
  }

  read(): DiskUse {
    const counters = readFileSync(this.file);
    return {
      bytes: Number(counters.readBigUInt64LE(0)),
      syncs: Number(counters.readBigUInt64LE(NUMBER_BYTES)),
    };
  }
}
