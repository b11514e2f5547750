import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Variables } from '@sotto/process-kit';

/** Valid from both `src` and `dist`. */
const SOURCE = fileURLToPath(new URL('../../native/count-disk.c', import.meta.url));
const NUMBER_BYTES = 8;

/** Disk use of a process. */
export interface DiskUse {
  readonly bytes: number;
  readonly syncs: number;
}

/** Counts bytes that a process writes to its files, and its syncs. */
export class DiskCounters {
  private constructor(
    /** Environment of the counted process. */
    readonly env: Variables,
    private readonly file: string,
  ) {}

  /** Compiles the counter into the folder. Returns null without a C compiler. */
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
