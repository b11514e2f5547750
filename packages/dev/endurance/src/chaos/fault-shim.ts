import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Variables } from '@sotto/process-kit';

/** Relative path to the source, which is valid from both `src` and `dist`. */
const SOURCE = fileURLToPath(new URL('../../native/fault-shim.c', import.meta.url));
const NUMBER_BYTES = 4;

type Errno = 'ENOSPC' | 'EROFS' | 'EIO';

/** Makes writes or syncs of files in one folder fail with an error of the operating system. */
export class FaultShim {
  /** Environment variables that load the shim into the service. */
  readonly env: Variables;

  private constructor(
    private readonly orders: number,
    library: string,
    control: string,
    marker: string,
  ) {
    this.env = {
      LD_PRELOAD: library,
      FAULT_SHIM_CONTROL: control,
      FAULT_SHIM_MARKER: marker,
    };
  }

  /**
   * Compiles the shim into the folder whose files it affects.
   * @param marker text that the paths of affected files contain
   * @returns null if no C compiler is installed
   */
  static make(folder: string, marker = folder): FaultShim | null {
    const library = join(folder, 'fault-shim.so');
    const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) return null;
    const control = join(folder, 'fault-shim.orders');
    writeFileSync(control, Buffer.alloc(2 * NUMBER_BYTES));
    return new FaultShim(openSync(control, 'r+'), library, control, marker);
  }

  failWrites(code: Errno): void {
    this.#order(constants.errno[code], 0);
  }

  /**
   * Makes syncs fail: writes succeed, but the operating system never confirms that they are
   * durable.
   */
  failSyncs(code: Errno): void {
    this.#order(0, constants.errno[code]);
  }

  pass(): void {
    this.#order(0, 0);
  }

  close(): void {
    closeSync(this.orders);
  }

  #order(writes: number, syncs: number): void {
    const bytes = Buffer.alloc(2 * NUMBER_BYTES);
    bytes.writeInt32LE(writes, 0);
    bytes.writeInt32LE(syncs, NUMBER_BYTES);
    writeSync(this.orders, bytes, 0, bytes.length, 0);
  }
}
