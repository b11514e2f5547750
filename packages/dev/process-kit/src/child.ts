import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { eventually } from './eventually.js';

/** Variables of a process's environment. */
export type Variables = Readonly<Record<string, string>>;

export interface ChildOptions {
  /** Name of the process in messages. */
  readonly name: string;
  /** File URL of the program's main module. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Command-line options of Node. */
  readonly nodeOptions?: readonly string[];
  /** Environment of the child, in addition to PATH and Node's compile cache. */
  readonly env?: Variables;
  /**
   * File for the child's output. The child writes to it directly, so that this process spends no
   * time forwarding output.
   * @default the memory of this process
   */
  readonly logFile?: string | undefined;
  /**
   * Open file or pipe that receives the child's output instead of `logFile`, for example a pipe
   * that no process reads. {@link Child.output} does not contain this output.
   */
  readonly destination?: number | undefined;
  /** Receives the child's output if it is written neither to `logFile` nor to `destination`. */
  readonly onOutput?: ((text: string, stream: 'stdout' | 'stderr') => void) | undefined;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Error of a process that ended before it produced the expected result. */
export class EndedEarly extends Error {
  constructor(
    message: string,
    readonly ending: Ending,
  ) {
    super(message);
  }
}

/** URL of the guard module, which is valid from both src and dist, because it contains dist. */
const GUARD = new URL('../dist/guard.js', import.meta.url).href;
/** Maximum number of log characters in the error of a failed process. */
const SHOWN_CHARACTERS = 4_000;
/** Global key under which `jest.environment.mjs` finds the running children when a test fails. */
const RUNNING = Symbol.for('sotto.running-processes');
/** Result of the race in `query` if the process ended before it answered. */
const ENDED = Symbol('ended');
/** Time in ms before a child is killed: longer than the longest orderly shutdown of a child. */
const STOP_TIMEOUT_MS = 20_000;

/** Child process that runs a Node program and always ends with this process. */
export class Child {
  /** Resolves when the process has ended and all its output is available. Never rejects. */
  readonly ended: Promise<Ending>;
  readonly #process: ChildProcess;
  readonly #written: string[] = [];

  constructor(private readonly options: ChildOptions) {
    const { program, args = [], nodeOptions = [], env = {} } = options;
    const { logFile, destination, onOutput } = options;
    const opened = logFile === undefined ? undefined : openSync(logFile, 'w');
    const log = destination ?? opened ?? 'pipe';
    // The child is in a separate process group, so Ctrl-C reaches only this process. This process
    // then stops its children in order.
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

  /** All output so far, from stdout and stderr. */
  get output(): string {
    const { logFile } = this.options;
    return logFile === undefined ? this.#written.join('') : readFileSync(logFile, 'utf8');
  }

  /** End of the log, without the lines about requests. */
  get lastWritten(): string {
    const lines = this.output.split(/^/m).filter((line) => !line.includes('"message":"request"'));
    return lines.join('').slice(-SHOWN_CHARACTERS);
  }

  /**
   * Waits until `read` returns a result for a line of the output, and returns this result.
   * @throws EndedEarly if the process ends before `read` returns a result
   */
  async line<T>(read: (line: string) => T | undefined): Promise<T> {
    return eventually(`the ${this.name} to print the expected line`, () => {
      const { isRunning } = this;
      for (const line of this.output.split('\n').slice(0, -1)) {
        const found = read(line);
        if (found !== undefined) return found;
      }
      // The process may have written the line directly before it ended.
      if (!isRunning) throw this.#endedEarly();
      return undefined;
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Stops reading the child's output until {@link readOutput} is called. */
  holdOutput(): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#process[stream]?.pause();
  }

  readOutput(): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#process[stream]?.resume();
  }

  /**
   * Sends a signal to the process, and kills the process if it does not end in time. Resolves when
   * the process has ended.
   */
  async stop(signal: NodeJS.Signals = 'SIGTERM', withinMs = STOP_TIMEOUT_MS): Promise<void> {
    if (this.isRunning) {
      const giveUp = setTimeout(() => this.#process.kill('SIGKILL'), withinMs);
      this.#process.kill(signal);
      await this.ended;
      clearTimeout(giveUp);
    }
    await this.ended;
  }

  /** Sends a message to the child. The child's program must handle it. */
  send(message: string): void {
    this.#process.send(message);
  }

  /**
   * Sends a message and returns the child's answer. @throws EndedEarly if the process ends before
   * it answers
   */
  async query(message: string): Promise<unknown> {
    const answered = once(this.#process, 'message').then(([answer]: unknown[]) => answer);
    this.#process.send(message);
    // Read the output only if the process has ended, because a log may have hundreds of megabytes.
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

/**
 * Returns a function that parses a line as JSON, or returns undefined if the line does not match
 * the schema.
 */
export function jsonLine<T>(schema: z.ZodType<T>): (line: string) => T | undefined {
  return (line) => {
    if (!line.startsWith('{')) return undefined;
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  };
}
