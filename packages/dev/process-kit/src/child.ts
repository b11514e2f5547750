import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { eventually } from './eventually.js';

/** Variables of a process's environment. */
export type Variables = Readonly<Record<string, string>>;

export interface ChildOptions {
  /** Name in messages. */
  readonly name: string;
  /** The program, as a file URL. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
  /** The child's environment, in addition to PATH and Node's compile cache. */
  readonly env?: Variables;
  /**
   * File for the child's output. The child writes directly, so that no process spends time
   * forwarding it.
   * @default the memory of this process
   */
  readonly logFile?: string | undefined;
  /**
   * Open file or pipe for the child's output instead of `logFile`, such as a pipe that nothing
   * reads. The contents are not in {@link Child.output}.
   */
  readonly destination?: number | undefined;
  /** Receives the child's output if no file does. */
  readonly onOutput?: ((text: string, stream: 'stdout' | 'stderr') => void) | undefined;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Error: a process ended before it produced the expected result. */
export class EndedEarly extends Error {
  constructor(
    message: string,
    readonly ending: Ending,
  ) {
    super(message);
  }
}

/** Same file from src and from dist. */
const GUARD = new URL('../dist/guard.js', import.meta.url).href;
/** Length of the shown part of a failed process's log. */
const SHOWN_CHARACTERS = 4_000;
/** Key under which `jest.environment.mjs` finds running children when a test fails. */
const RUNNING = Symbol.for('sotto.running-processes');
/** Marks the end of the process instead of an answer. */
const ENDED = Symbol('ended');
/** Longer than the longest orderly shutdown of a child. */
const STOP_TIMEOUT_MS = 20_000;

/** A Node process that is a child of this one and always ends with it. */
export class Child {
  /** Resolves, never rejects, when the process has ended and all its output is available. */
  readonly ended: Promise<Ending>;
  readonly #process: ChildProcess;
  readonly #written: string[] = [];

  constructor(private readonly options: ChildOptions) {
    const { program, args = [], nodeOptions = [], env = {} } = options;
    const { logFile, destination, onOutput } = options;
    const opened = logFile === undefined ? undefined : openSync(logFile, 'w');
    const log = destination ?? opened ?? 'pipe';
    // A separate group: Ctrl-C reaches only this process, which then stops its children in order.
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

  /** All output so far, of either stream. */
  get output(): string {
    const { logFile } = this.options;
    return logFile === undefined ? this.#written.join('') : readFileSync(logFile, 'utf8');
  }

  /** The end of the log, without answered requests. */
  get lastWritten(): string {
    const lines = this.output.split(/^/m).filter((line) => !line.includes('"message":"request"'));
    return lines.join('').slice(-SHOWN_CHARACTERS);
  }

  /**
   * Returns the first result of `read` for a line of output.
   * @throws EndedEarly if the process ends without one
   */
  async line<T>(read: (line: string) => T | undefined): Promise<T> {
    return eventually(`the ${this.name} to say what it should`, () => {
      const { isRunning } = this;
      for (const line of this.output.split('\n').slice(0, -1)) {
        const found = read(line);
        if (found !== undefined) return found;
      }
      // The line may have been written right before the process ended.
      if (!isRunning) throw this.#endedEarly();
      return undefined;
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Pauses reading the child's output until {@link readOutput}. */
  holdOutput(): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#process[stream]?.pause();
  }

  readOutput(): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#process[stream]?.resume();
  }

  /** Requests the process to end, and kills it if it does not. Resolves when it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', withinMs = STOP_TIMEOUT_MS): Promise<void> {
    if (this.isRunning) {
      const giveUp = setTimeout(() => this.#process.kill('SIGKILL'), withinMs);
      this.#process.kill(signal);
      await this.ended;
      clearTimeout(giveUp);
    }
    await this.ended;
  }

  /** Sends a message; the program decides how to handle it. */
  send(message: string): void {
    this.#process.send(message);
  }

  /** Sends a message and returns the answer. @throws EndedEarly if the process ends without one */
  async ask(message: string): Promise<unknown> {
    const answered = once(this.#process, 'message').then(([answer]: unknown[]) => answer);
    this.#process.send(message);
    // Reads the output only if necessary: a log may have hundreds of megabytes.
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

/** Parses a line of JSON if it matches the schema. */
export function jsonLine<T>(schema: z.ZodType<T>): (line: string) => T | undefined {
  return (line) => {
    if (!line.startsWith('{')) return undefined;
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  };
}
