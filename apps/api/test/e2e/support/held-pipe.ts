import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { causeCodeOf } from '@sotto/kernel';

const BLOCKS = [4_096, 1];

/** A pipe from a process to this one, read only on request of a test. */
export class HeldPipe {
  /** End for the process. */
  readonly input: number;
  readonly #output: number;

  /** @param path path of the new pipe */
  constructor(path: string) {
    const { status } = spawnSync('mkfifo', [path]);
    if (status !== 0) throw new Error(`no pipe could be created at ${path}`);
    // Opened for both, so that no open waits for the other end.
    this.#output = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.input = openSync(path, constants.O_WRONLY);
  }

  /** Fills the pipe to the last byte, with empty lines. */
  fill(): void {
    for (const bytes of BLOCKS) untilItWouldWait(() => writeSync(this.#output, '\n'.repeat(bytes)));
  }

  /** Returns all that the pipe contains now. */
  read(): string {
    const block = Buffer.alloc(65_536);
    let text = '';
    untilItWouldWait(() => {
      text += block.toString('utf8', 0, readSync(this.#output, block));
    });
    return text;
  }

  /** Closes the reading end. A process that still has its input gets EPIPE. */
  close(): void {
    closeSync(this.#output);
  }

  /** Closes this process's copy of the input, once the other process has its copy. */
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
