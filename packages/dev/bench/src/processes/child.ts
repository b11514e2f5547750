import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@sotto/kernel';
import { z } from 'zod';

export interface ChildOptions {
  /** For messages. */
  readonly name: string;
  /** The program, as a file URL. */
  readonly program: string;
  /** Of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** The child's whole environment, PATH apart. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Takes what the child writes: straight from the child, so that no process spends time on passing
   * it on.
   */
  readonly logFile: string;
}

const Usage = z.object({
  cpuMicros: z.number(),
  residentBytes: z.number(),
  delayP50Ms: z.number(),
  delayP99Ms: z.number(),
});

/**
 * What a process has used since it began; delays of its event loop since {@link Child.watchDelay}.
 */
export type Usage = z.output<typeof Usage>;

const PRELOAD = new URL('./preload.js', import.meta.url).href;
const LOOK_EVERY_MS = 10;
/** Of the log of a process that failed. */
const SHOWN_BYTES = 2_000;
/** A busy machine starts several things at a time. */
const START_MS = 120_000;

/** A process below this one, which ends when this one does, whichever way. */
export class Child {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(private readonly options: ChildOptions) {
    const { program, nodeOptions = [], env = {}, logFile } = options;
    const log = openSync(logFile, 'w');
    this.#process = spawn(
      process.execPath,
      [...nodeOptions, '--import', PRELOAD, fileURLToPath(program)],
      {
        stdio: ['ignore', log, log, 'ipc'],
        env: { PATH: process.env['PATH'], ...env },
      },
    );
    closeSync(log);
    this.#ended = once(this.#process, 'exit');
  }

  /**
   * The first line of output that `read` makes something of.
   * @throws Error when the process ends before, or says nothing for too long
   */
  async announced<T>(read: (line: string) => T | undefined): Promise<T> {
    const untilMs = systemClock.monotonicMs() + START_MS;
    for (;;) {
      const lines = readFileSync(this.options.logFile, 'utf8').split('\n').slice(0, -1);
      for (const line of lines) {
        const found = read(line);
        if (found !== undefined) return found;
      }
      if (!this.#isRunning || systemClock.monotonicMs() > untilMs) throw this.#failure();
      await systemClock.sleep(LOOK_EVERY_MS);
    }
  }

  /** From now until {@link usage} is asked for. */
  watchDelay(): void {
    this.#process.send('watch delay');
  }

  async usage(): Promise<Usage> {
    const answered = once(this.#process, 'message').then(([message]) => Usage.parse(message));
    this.#process.send('usage');
    return Promise.race([answered, this.#ended.then(() => Promise.reject(this.#failure()))]);
  }

  /** Resolves when the process has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#isRunning) this.#process.kill(signal);
    await this.#ended;
  }

  get #isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  #failure(): Error {
    return new Error(
      `the ${this.options.name} failed; the end of its log:\n${endOf(this.options.logFile)}`,
    );
  }
}

/** Without the rest, which is large where many requests were logged. */
function endOf(file: string): string {
  const opened = openSync(file, 'r');
  try {
    const end = Buffer.alloc(SHOWN_BYTES);
    const read = readSync(
      opened,
      end,
      0,
      SHOWN_BYTES,
      Math.max(0, fstatSync(opened).size - SHOWN_BYTES),
    );
    return end.toString('utf8', 0, read);
  } finally {
    closeSync(opened);
  }
}

/** What a line of JSON says, when it has this shape. */
export function jsonLine<T>(schema: z.ZodType<T>): (line: string) => T | undefined {
  return (line) => {
    if (!line.startsWith('{')) return undefined;
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  };
}
