import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { causeCodeOf } from '@sotto/kernel';
import { pino } from 'pino';

/**
 * Interval in ms in which lines are collected before a write, because one write costs more than ten
 * lines.
 */
const GATHER_MS = 20;
const GATHER_CHARACTERS = 8 * 1024;
/**
 * Maximum number of characters of lines that wait for a write. Above the maximum, new lines are
 * lost until a write succeeds.
 */
const MOST_CHARACTERS = 1024 * 1024;
/**
 * Maximum number of characters in memory at which a line below the level of a warning is still
 * accepted. Callers cause most of these lines, so the rest of the memory is reserved for warnings
 * and errors.
 */
const MOST_OF_OTHERS = 0.75 * MOST_CHARACTERS;
/**
 * Maximum number of characters in memory at which a warning is still accepted; the rest is reserved
 * for errors. While no node responds, requests of callers cause most warnings.
 */
const MOST_WITH_WARNINGS = 0.875 * MOST_CHARACTERS;
/** Minimum interval in ms between two lines that report the number of lost lines. */
const REPORT_MS = 10_000;
/**
 * Interval in ms between write attempts after an error. If the error is only a slow reader
 * (EAGAIN), this interval is not used.
 */
const RETRY_MS = 500;
/** Maximum time in ms that the process waits for a slow reader when it ends. */
const EXIT_WAIT_MS = 500;
const EXIT_STEP_MS = 5;
const STANDARD_OUTPUT = 1;
const URGENT = pino.levels.values['warn'] ?? 0;
const ERROR = pino.levels.values['error'] ?? 0;

/**
 * Writes lines of pino to a file descriptor. Warnings and errors are written at once, together with
 * all lines before them. No write waits for a reader: unwritten lines wait in memory up to a limit.
 * Above the limit, new lines are lost and counted. A quarter of the memory is reserved for warnings
 * and errors, and half of this quarter for errors. After lines were lost and writes succeed again,
 * a warning reports the number of lost lines, at most every 10 s.
 *
 * A write to a regular file may block, for example on a stuck disk: files have no non-blocking
 * mode.
 */
export class BoundedLines {
  /** Makes pino set `lastLevel` before each write. */
  readonly [pino.symbols.needsMetadataGsym] = true;
  lastLevel = pino.levels.values['info'] ?? 0;
  readonly #descriptor: number;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  /** Rest of a chunk of lines that was only partly written. */
  #begun: Buffer = Buffer.alloc(0);
  #begunLines = 0;
  #lost = 0;
  #reported = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  /** Code of the error that stopped the last write; null while writes succeed. */
  #cause: string | null = null;
  #lastCause: string | null = null;
  #isTimed = false;

  /** @param nowMs monotonic clock */
  constructor(
    descriptor: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#descriptor = withoutWaiting(descriptor);
    process.once('exit', () => this.#end());
  }

  get lost(): number {
    return this.#lost;
  }

  write(line: string): void {
    const isUrgent = this.lastLevel >= URGENT;
    if (this.#waitingCharacters + this.#begun.length + line.length > mostAt(this.lastLevel)) {
      this.#lost += 1;
      return;
    }
    this.#push(line);
    const isMuch = isUrgent || this.#waitingCharacters >= GATHER_CHARACTERS;
    if (isMuch && this.#cause === null) this.#drain();
    this.#retryAfter(GATHER_MS);
  }

  #push(line: string): void {
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
  }

  #retry(): void {
    this.#isTimed = false;
    if (this.#cause === null) this.#reportLost();
    this.#drain();
    this.#retryAfter(this.#cause === 'EAGAIN' ? GATHER_MS : RETRY_MS);
  }

  #retryAfter(waitMs: number): void {
    if (this.#isTimed || (this.#isEmpty && !this.#mayReport)) return;
    this.#isTimed = true;
    setTimeout(() => this.#retry(), waitMs).unref();
  }

  /** True if writes succeed and some lost lines have not been reported. */
  get #mayReport(): boolean {
    return this.#cause === null && this.#lost > this.#reported;
  }

  #drain(): void {
    try {
      while (this.#hasBytes()) {
        this.#writeSome();
        this.#cause = null;
        // Report lost lines even if other lines are waiting, because a flood of lines may last
        // long.
        if (this.#begun.length === 0) this.#reportLost();
      }
    } catch (error) {
      this.#cause = causeCodeOf(error) ?? 'UNKNOWN';
      this.#lastCause = this.#cause;
      // The reader has closed the pipe: all waiting lines are lost.
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

  /**
   * Writes a line that reports the number of lost lines. @param intervalMs minimum time since the
   * previous report
   */
  #reportLost(intervalMs = REPORT_MS): void {
    const lines = this.#lost - this.#reported;
    const nowMs = this.nowMs();
    if (lines === 0 || nowMs < this.#reportedAtMs + intervalMs) return;
    this.#reported = this.#lost;
    this.#reportedAtMs = nowMs;
    const time = new Date().toISOString();
    const causeCode = this.#lastCause;
    const message = 'log lines were lost';
    this.#push(`${JSON.stringify({ level: 'warn', time, lines, causeCode, message })}\n`);
  }

  #end(): void {
    const untilMs = performance.now() + EXIT_WAIT_MS;
    if (this.#cause !== 'EPIPE') this.#reportLost(0);
    this.#drain();
    while (this.#cause === 'EAGAIN' && performance.now() < untilMs) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_STEP_MS);
      this.#drain();
    }
  }
}

/** Returns the maximum number of characters in memory when a line of this level is added. */
function mostAt(level: number): number {
  if (level >= ERROR) return MOST_CHARACTERS;
  return level >= URGENT ? MOST_WITH_WARNINGS : MOST_OF_OTHERS;
}

/**
 * One writer per file descriptor, so that the lines of all loggers of a process are written in the
 * sequence in which they were logged.
 */
const known = new Map<number, BoundedLines>();

export function boundedLines(descriptor: number): BoundedLines {
  const before = known.get(descriptor);
  if (before !== undefined) return before;
  const lines = new BoundedLines(descriptor);
  known.set(descriptor, lines);
  return lines;
}

/** Returns the number of lines that this process has lost since its start. */
export function linesLost(): number {
  return [...known.values()].reduce((sum, { lost }) => sum + lost, 0);
}

/**
 * Returns a descriptor whose writes fail with EAGAIN when the reader is slow, instead of blocking.
 */
function withoutWaiting(descriptor: number): number {
  if (fstatSync(descriptor).isFile()) return descriptor;
  try {
    // Open the descriptor a second time: setting the flag of an inherited descriptor would also
    // change the flag for other processes that share the descriptor.
    return openSync(
      `/proc/self/fd/${descriptor}`,
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch {
    // A socket, or a pipe of another user, cannot be opened this way. For these, Node’s stream sets
    // the non-blocking flag.
    if (descriptor === STANDARD_OUTPUT) void process.stdout.writable;
    else new Socket({ fd: descriptor, readable: false }).unref();
    return descriptor;
  }
}
