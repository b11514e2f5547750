import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { causeCodeOf } from '@sotto/kernel';

const BLOCKS = [4_096, 1];

/** A pipe from a process to this one, which reads nothing before a test asks for it. */
export class HeldPipe {
  /** End for the process. */
  readonly input: number;
  readonly #output: number;

  /** @param path where it is created */
  constructor(path: string) {
    const { status } = spawnSync('mkfifo', [path]);
    if (status !== 0) throw new Error(`no pipe could be created at ${path}`);
    // Open for both: no open waits for the other end then.
    this.#output = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.input = openSync(path, constants.O_WRONLY);
  }

  /** Fills it to the last byte, with empty lines. */
  fill(): void {
    for (const bytes of BLOCKS) untilItWouldWait(() => writeSync(this.#output, '\n'.repeat(bytes)));
  }

  /** All that is in it now. */
  read(): string {
    const block = Buffer.alloc(65_536);
    let text = '';
    untilItWouldWait(() => {
      text += block.toString('utf8', 0, readSync(this.#output, block));
    });
    return text;
  }

  /** Ends its reader. A process that still has its input gets EPIPE. */
  close(): void {
    closeSync(this.#output);
  }

  /** Closes the end for the process, which has its own by then. */
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
