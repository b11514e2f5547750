import type { Writable } from 'node:stream';
import { causeCodeOf } from '@sotto/kernel';

/**
 * Maximum size in bytes of the lines that are buffered for a slow reader. When the buffer is full,
 * later lines are lost.
 */
const MOST_BYTES = 16 * 1024 * 1024;

/** Output stream of the terminal, with a memory limit for a reader that stops reading. */
export class Output {
  #lost = 0;
  #failure: string | null = null;

  /** @param failed called once, when a write to the stream fails */
  constructor(
    private readonly stream: Writable,
    failed: () => void = () => undefined,
  ) {
    stream.on('error', (error) => {
      if (this.#failure !== null) return;
      this.#failure = causeCodeOf(error) ?? 'no cause';
      failed();
    });
  }

  /** Number of lines that were lost because the reader of the output had stopped reading. */
  get lost(): number {
    return this.#lost;
  }

  /** Code of the error that ended the stream; null while it is writable. */
  get failure(): string | null {
    return this.#failure;
  }

  write(text: string): void {
    if (this.#failure !== null) return;
    if (this.stream.writableLength > MOST_BYTES) this.#lost += 1;
    else this.stream.write(`${text}\n`);
  }
}
