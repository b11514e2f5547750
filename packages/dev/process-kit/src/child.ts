import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { eventually } from './eventually.js';

/** Of a process's environment. */
export type Variables = Readonly<Record<string, string>>;

export interface ChildOptions {
  /** For messages. */
  readonly name: string;
  /** The program, as a file URL. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** The child's whole environment, but for the PATH and where Node keeps compiled modules. */
  readonly env?: Variables;
  /**
   * Takes what the child writes: straight from the child, so that no process spends time on passing
   * it on.
   * @default the memory of this process
   */
  readonly logFile?: string | undefined;
  /**
   * Open file or pipe that takes what the child writes in place of `logFile`, such as a pipe that
   * nothing reads. None of it is in {@link Child.output}.
   */
  readonly destination?: number | undefined;
  /** Hears what the child writes, where no file takes it. */
  readonly onOutput?: ((text: string, stream: 'stdout' | 'stderr') => void) | undefined;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A process ended before it had done what was waited for. */
export class EndedEarly extends Error {
  constructor(
    message: string,
    readonly ending: Ending,
  ) {
    super(message);
  }
}

/** The same file from src and from dist. */
const GUARD = new URL('../dist/guard.js', import.meta.url).href;
/** Of the log of a process that failed. */
const SHOWN_CHARACTERS = 4_000;
/** Where `jest.environment.mjs` finds them when a test fails. */
const RUNNING = Symbol.for('sotto.running-processes');
/** In place of an answer. */
const ENDED = Symbol('ended');
/** Above the longest orderly shutdown of a child. */
const STOP_TIMEOUT_MS = 20_000;

/** A Node process below this one, which ends when this one does, whichever way. */
export class Child {
  /** Resolves, never rejects, when the process has ended and all that it wrote is there. */
  readonly ended: Promise<Ending>;
  readonly #process: ChildProcess;
  readonly #written: string[] = [];

  constructor(private readonly options: ChildOptions) {
    const { program, args = [], nodeOptions = [], env = {} } = options;
    const { logFile, destination, onOutput } = options;
    const opened = logFile === undefined ? undefined : openSync(logFile, 'w');
    const log = destination ?? opened ?? 'pipe';
    // A group of its own: Ctrl-C reaches this process alone, which then ends its children in order.
    this.#process = spawn(
      process.execPath,
      [...nodeOptions, '--import', GUARD, fileURLToPath(program), ...args],
      {
        stdio: ['ignore', log, log, 'ipc'],
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          ...env,
        },
        detached: true,
      },
    );
    if (opened !== undefined) closeSync(opened);
    for (const stream of ['stdout', 'stderr'] as const)
      this.#process[stream]?.setEncoding('utf8').on('data', (text: string) => {
        this.#written.push(text);
        onOutput?.(text, stream);
      });
    this.ended = new Promise((resolve) => {
      const end = (): void =>
        resolve({ code: this.#process.exitCode, signal: this.#process.signalCode });
      this.#process.once('close', end);
      this.#process.once('error', end);
    });
    const running = runningChildren();
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get name(): string {
    return this.options.name;
  }

  get isRunning(): boolean {
    return (
      this.#process.exitCode === null &&
      this.#process.signalCode === null &&
      this.#process.pid !== undefined
    );
  }

  /** Everything written so far, to either stream. */
  get output(): string {
    const { logFile } = this.options;
    return logFile === undefined ? this.#written.join('') : readFileSync(logFile, 'utf8');
  }

  /** The end of its log, without the requests that were answered. */
  get lastWritten(): string {
    const lines = this.output.split(/^/m).filter((line) => !line.includes('"message":"request"'));
    return lines.join('').slice(-SHOWN_CHARACTERS);
  }

  /**
   * The first line of output that `read` makes something of.
   * @throws EndedEarly when the process ends without one
   */
  async line<T>(read: (line: string) => T | undefined): Promise<T> {
    return eventually(`the ${this.name} to say what it should`, () => {
      const { isRunning } = this;
      for (const line of this.output.split('\n').slice(0, -1)) {
        const found = read(line);
        if (found !== undefined) return found;
      }
      // One that ended right after has said it all the same.
      if (!isRunning) throw this.#endedEarly();
      return undefined;
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Reads nothing of what the child writes until {@link readOutput}. */
  holdOutput(): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#process[stream]?.pause();
  }

  readOutput(): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#process[stream]?.resume();
  }

  /** Asks the process to end, and makes it when it does not. Resolves when it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', withinMs = STOP_TIMEOUT_MS): Promise<void> {
    if (this.isRunning) {
      const giveUp = setTimeout(() => this.#process.kill('SIGKILL'), withinMs);
      this.#process.kill(signal);
      await this.ended;
      clearTimeout(giveUp);
    }
    await this.ended;
  }

  /** Sends a message; what the program does with it is its own matter. */
  send(message: string): void {
    this.#process.send(message);
  }

  /** The answer to a message. @throws EndedEarly when the process ends without one */
  async ask(message: string): Promise<unknown> {
    const answered = once(this.#process, 'message').then(([answer]: unknown[]) => answer);
    this.#process.send(message);
    // What it has written is read where it is needed only: a log may be hundreds of megabytes.
    const first = await Promise.race([answered, this.ended.then(() => ENDED)]);
    if (first === ENDED) throw this.#endedEarly();
    return first;
  }

  #endedEarly(): EndedEarly {
    return new EndedEarly(
      `the ${this.name} ended too early; the end of its log:\n${this.lastWritten}`,
      { code: this.#process.exitCode, signal: this.#process.signalCode },
    );
  }
}

function runningChildren(): Set<Child> {
  const known: unknown = Reflect.get(globalThis, RUNNING);
  if (known instanceof Set) return known;
  const running = new Set<Child>();
  Reflect.set(globalThis, RUNNING, running);
  return running;
}

/** What a line of JSON says, when it has this shape. */
export function jsonLine<T>(schema: z.ZodType<T>): (line: string) => T | undefined {
  return (line) => {
    if (!line.startsWith('{')) return undefined;
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  };
}
