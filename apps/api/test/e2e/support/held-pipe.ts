import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { causeCodeOf } from '@sotto/kernel';

const BLOCKS = [4_096, 1];

/** A pipe from another process to this one, which is read only when a test calls `read`. */
export class HeldPipe {
  /** File descriptor of the end to which the other process writes. */
  readonly input: number;
  readonly #output: number;

  /** @param path path at which the pipe is created */
  constructor(path: string) {
    const { status } = spawnSync('mkfifo', [path]);
    if (status !== 0) throw new Error(`no pipe could be created at ${path}`);
    // Opened for reading and writing, so that opening does not wait for the other end.
    this.#output = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.input = openSync(path, constants.O_WRONLY);
  }

  /** Fills the pipe with newlines until no byte fits. */
  fill(): void {
    for (const bytes of BLOCKS) untilItWouldWait(() => writeSync(this.#output, '\n'.repeat(bytes)));
  }

  /** Returns all bytes that the pipe contains now, as text. */
  read(): string {
    const block = Buffer.alloc(65_536);
    let text = '';
    untilItWouldWait(() => {
      text += block.toString('utf8', 0, readSync(this.#output, block));
    });
    return text;
  }

  /** Closes the reading end. A process that can still write to the pipe then gets EPIPE. */
  close(): void {
    closeSync(this.#output);
  }

  /**
   * Closes this process's copy of the input descriptor. Call this once the other process has its
   * copy.
   */
  given(): void {
    closeSync(this.input);
  }
}

function untilItWouldWait(step: () => unknown): void {
  try {
    for (;;) step();
  } catch (error) {
    if (causeCodeOf(error) !== 'EAGAIN') throw error;
  }
}
