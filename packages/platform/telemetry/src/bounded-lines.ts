import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { causeCodeOf } from '@sotto/kernel';

/** One write costs more than ten lines. */
const GATHER_MS = 20;
const GATHER_CHARACTERS = 8 * 1024;
/** Lines above this size are lost while nothing can be written. */
const MOST_CHARACTERS = 1024 * 1024;
/** Interval between attempts after an error that a reader does not end. */
const RETRY_MS = 500;
/** Longest wait at the end of the process for a reader that is behind. */
const EXIT_WAIT_MS = 500;
const EXIT_STEP_MS = 5;
const STANDARD_OUTPUT = 1;

/**
 * Lines for a file descriptor. No write waits for a reader: lines that cannot be written wait in
 * memory up to a limit, and the newest lines above it are lost and counted. A line with the count
 * follows once writes succeed again.
 *
 * Only a regular file is written as the file system allows: a write to a stuck disk blocks.
 */
export class BoundedLines {
  readonly #descriptor: number;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  /** Bytes of lines that a write has begun. */
  #begun: Buffer = Buffer.alloc(0);
  #begunLines = 0;
  #lost = 0;
  #reported = 0;
  /** Code of the error that stopped the last write; null while writes succeed. */
  #cause: string | null = null;
  #lastCause: string | null = null;
  #isTimed = false;

  constructor(descriptor: number) {
    this.#descriptor = withoutWaiting(descriptor);
    process.once('exit', () => this.#end());
  }

  get lost(): number {
    return this.#lost;
  }

  write(line: string): void {
    if (this.#waitingCharacters + this.#begun.length + line.length > MOST_CHARACTERS) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
    if (this.#waitingCharacters >= GATHER_CHARACTERS) this.flush();
    this.#retryAfter(GATHER_MS);
  }

  /** Writes all lines before it returns, unless writes fail. */
  flush(): void {
    if (this.#cause === null) this.#drain();
  }

  #retry(): void {
    this.#isTimed = false;
    this.#drain();
    this.#retryAfter(this.#cause === 'EAGAIN' ? GATHER_MS : RETRY_MS);
  }

  #retryAfter(waitMs: number): void {
    if (this.#isTimed || this.#isEmpty) return;
    this.#isTimed = true;
    setTimeout(() => this.#retry(), waitMs).unref();
  }

  #drain(): void {
    try {
      while (this.#hasBytes()) {
        this.#writeSome();
        if (this.#isEmpty) this.#reportLost();
      }
      this.#cause = null;
    } catch (error) {
      this.#cause = causeCodeOf(error) ?? 'UNKNOWN';
      this.#lastCause = this.#cause;
      // The reader is gone and with it all that it has not read.
      if (this.#cause === 'EPIPE') this.#discard();
    }
  }

  get #isEmpty(): boolean {
    return this.#begun.length === 0 && this.#waiting.length === 0;
  }

  #hasBytes(): boolean {
    if (this.#begun.length > 0) return true;
    if (this.#waiting.length === 0) return false;
    this.#begun = Buffer.from(this.#waiting.join(''));
    this.#begunLines = this.#waiting.length;
    this.#waiting = [];
    this.#waitingCharacters = 0;
    return true;
  }

  #writeSome(): void {
    const written = writeSync(this.#descriptor, this.#begun);
    this.#begun = this.#begun.subarray(written);
    if (this.#begun.length === 0) this.#begunLines = 0;
  }

  #discard(): void {
    this.#lost += this.#begunLines + this.#waiting.length;
    this.#begun = Buffer.alloc(0);
    this.#begunLines = 0;
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }

  #reportLost(): void {
    const lines = this.#lost - this.#reported;
    if (lines === 0) return;
    this.#reported = this.#lost;
    const time = new Date().toISOString();
    const causeCode = this.#lastCause;
    const message = 'log lines were lost';
    this.#waiting.push(`${JSON.stringify({ level: 'warn', time, lines, causeCode, message })}\n`);
  }

  #end(): void {
    const untilMs = performance.now() + EXIT_WAIT_MS;
    this.#drain();
    while (this.#cause === 'EAGAIN' && performance.now() < untilMs) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_STEP_MS);
      this.#drain();
    }
  }
}

/** By file descriptor: lines of all loggers of a process keep their order. */
const known = new Map<number, BoundedLines>();

export function boundedLines(descriptor: number): BoundedLines {
  const before = known.get(descriptor);
  if (before !== undefined) return before;
  const lines = new BoundedLines(descriptor);
  known.set(descriptor, lines);
  return lines;
}

/** Lines that this process has lost since its start. */
export function linesLost(): number {
  return [...known.values()].reduce((sum, { lost }) => sum + lost, 0);
}

/** Descriptor whose writes fail with EAGAIN where they would wait for a reader. */
function withoutWaiting(descriptor: number): number {
  if (fstatSync(descriptor).isFile()) return descriptor;
  try {
    // Opened again: the flag of an inherited descriptor would change for its other owners too.
    return openSync(
      `/proc/self/fd/${descriptor}`,
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch {
    // Sockets cannot be opened so, nor can a pipe of another user. A stream sets the flag itself.
    if (descriptor === STANDARD_OUTPUT) void process.stdout.writable;
    else new Socket({ fd: descriptor, readable: false }).unref();
    return descriptor;
  }
}
