import type { Writable } from 'node:stream';
import { causeCodeOf } from '@sotto/kernel';

/** Text of lines that wait for their reader. Lines above it are lost. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A stream of the terminal. A reader that stops takes no memory beyond a limit. */
export class Output {
  #lost = 0;
  #failure: string | null = null;

  /** @param failed is called once, when a line cannot be written */
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

  /** Lines that were lost because their reader had stopped. */
  get lost(): number {
    return this.#lost;
  }

  /** Code of the error that ended the stream; null while it can be written. */
  get failure(): string | null {
    return this.#failure;
  }

  write(text: string): void {
    if (this.#failure !== null) return;
    if (this.stream.writableLength > MOST_BYTES) this.#lost += 1;
    else this.stream.write(`${text}\n`);
  }
}
