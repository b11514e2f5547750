import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ChildOptions {
  /** For messages. */
  readonly name: string;
  /** The program, as a file URL. */
  readonly program: string;
  /** The child's whole environment, PATH apart. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes what the child writes, after what is there already. */
  readonly logFile: string;
  /** Hears every line of standard output. */
  readonly onLine: (line: string) => void;
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

const GUARD = new URL('./guard.js', import.meta.url).href;

/** A process below this one, which ends when this one does, whichever way. */
export class Child {
  /** Resolves, never rejects, when the process has ended and all that it wrote has been read. */
  readonly ended: Promise<Ending>;
  readonly #process: ChildProcess;

  constructor(private readonly options: ChildOptions) {
    this.#process = spawn(process.execPath, ['--import', GUARD, fileURLToPath(options.program)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env['PATH'], ...options.env },
    });
    const log = createWriteStream(options.logFile, { flags: 'a' });
    const { stdout, stderr } = this.#process;
    stdout?.pipe(log, { end: false });
    stderr?.pipe(log, { end: false });
    if (stdout !== null) createInterface(stdout).on('line', options.onLine);
    this.ended = once(this.#process, 'close').then((): Ending => {
      log.end();
      return { code: this.#process.exitCode, signal: this.#process.signalCode };
    });
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** What `wanted` resolves to. @throws EndedEarly when the process ends before */
  async before<T>(wanted: Promise<T>): Promise<T> {
    const { name, logFile } = this.options;
    const failed = this.ended.then((ending) =>
      Promise.reject(new EndedEarly(`the ${name} ended too early; see ${logFile}`, ending)),
    );
    return Promise.race([wanted, failed]);
  }
}
