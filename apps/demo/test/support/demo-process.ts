import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Environment variables that the process gets in addition to PATH, the only inherited variable. */
type DemoEnvironment = Readonly<Record<string, string | undefined>>;

/** Process of the built demonstration. Each process has a separate state folder. */
export class DemoProcess {
  #stdout = '';
  #stderr = '';
  readonly #process: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;

  private constructor(
    args: readonly string[],
    port: number,
    readonly stateFolder: string,
    env: DemoEnvironment,
  ) {
    this.#process = spawn(process.execPath, [PROGRAM, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        SOTTO_STATE_FOLDER: stateFolder,
        ...env,
      },
    });
    this.#process.stdout?.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#process.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      // The event `close` is not used: if a child process outlives its parent, the pipes stay open
      // and `close` is never emitted.
      this.#process.once('exit', (code, signal) => resolve({ code, signal }));
    });
  }

  /** @param port port of the service; 0 selects a free port */
  static async start(
    args: readonly string[],
    port = 0,
    env: DemoEnvironment = {},
  ): Promise<DemoProcess> {
    return new DemoProcess(args, port, await mkdtemp(join(tmpdir(), 'sotto-demo-')), env);
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  kill(signal: 'SIGINT' | 'SIGKILL'): void {
    this.#process.kill(signal);
  }

  /**
   * Resolves with the match when standard output matches. Rejects with the output if the process
   * ends first.
   */
  prints(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#shows(pattern, () => this.#stdout);
  }

  /**
   * Resolves with the match when standard error matches. Rejects with the output if the process
   * ends first.
   */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#shows(pattern, () => this.#stderr);
  }

  async #shows(pattern: RegExp, written: () => string): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(written());
      if (match !== null) return match;
      if (this.#process.exitCode !== null || this.#process.signalCode !== null)
        throw new Error(`the demonstration ended first:\n${this.#stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Stops the process if it is still running, and removes its files. */
  async remove(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null)
      this.#process.kill('SIGTERM');
    await this.ended;
    await rm(this.stateFolder, { recursive: true, force: true });
  }
}
