import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ChildOptions {
  /** For messages. */
  readonly name: string;
  /** The program, as a file URL. */
  readonly program: string;
  readonly args?: readonly string[];
  /** The child's whole environment, PATH apart. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes what the child writes. */
  readonly logFile: string;
  /**
   * True when the first line on standard output is an announcement to be read, and not for the log.
   */
  readonly announces?: boolean;
}

const GUARD = new URL('./guard.js', import.meta.url).href;
/** Above the longest orderly shutdown of a child. */
const STOP_TIMEOUT_MS = 20_000;

/** A process of the stack. It ends when this one does, whichever way. */
export class Child {
  readonly name: string;
  readonly logFile: string;
  /** Resolves, never rejects, when the process has ended. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  readonly #announcement: Promise<string>;

  constructor({ name, program, args = [], env = {}, logFile, announces = false }: ChildOptions) {
    this.name = name;
    this.logFile = logFile;
    const log = openSync(logFile, 'a');
    // A group of its own: Ctrl-C reaches this process alone, which then ends its children in order.
    this.#process = spawn(process.execPath, ['--import', GUARD, fileURLToPath(program), ...args], {
      stdio: ['ignore', announces ? 'pipe' : log, log, 'ipc'],
      env: { PATH: process.env['PATH'], ...env },
      detached: true,
    });
    closeSync(log);
    this.ended = new Promise((resolve) => {
      this.#process.once('exit', () => resolve());
      this.#process.once('error', () => resolve());
    });
    this.#announcement = this.#firstLine();
  }

  get isRunning(): boolean {
    return (
      this.#process.exitCode === null &&
      this.#process.signalCode === null &&
      this.#process.pid !== undefined
    );
  }

  /** The first line on standard output. @throws Error when the process ends without one. */
  announcement(): Promise<string> {
    return this.#announcement;
  }

  /** Asks the process to end, and makes it when it does not. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const giveUp = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    this.#process.kill('SIGTERM');
    await this.ended;
    clearTimeout(giveUp);
  }

  async #firstLine(): Promise<string> {
    const { stdout } = this.#process;
    if (stdout === null) return '';
    const lines = createInterface(stdout);
    const line = once(lines, 'line').then(([text]) => String(text));
    const failure = this.ended.then(() =>
      Promise.reject(new Error(`the ${this.name} ended before it was up; see ${this.logFile}`)),
    );
    return Promise.race([line, failure]);
  }
}
