import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually, type Variables } from '@sotto/process-kit';

const PROGRAM = fileURLToPath(import.meta.resolve('@sotto/cli/dist/main.js'));
const run = promisify(execFile);

/**
 * Runs the command and returns its standard output and standard error. @throws Error if it fails
 */
export async function sotto(command: readonly string[], env: Variables): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [PROGRAM, ...command], { env });
  return stdout + stderr;
}

/** Collects the output of a stream until the stream is ended. */
export class Reader {
  #text = '';

  private constructor(private readonly stop: () => Promise<unknown>) {}

  /** Resolves when the stream of events is connected. */
  static async ofEvents(url: string, headers: Readonly<Record<string, string>>): Promise<Reader> {
    const ending = new AbortController();
    const { body, status } = await fetch(url, { headers, signal: ending.signal });
    if (body === null || status !== 200) throw new Error(`the stream is answered ${status}`);
    const read = async (): Promise<void> => {
      for await (const part of body.pipeThrough(new TextDecoderStream())) reader.#text += part;
    };
    const reader = new Reader(async () => {
      ending.abort();
      await reading;
    });
    // The abort lets the read fail with an error, which is expected.
    const reading = read().catch(() => {});
    return reader;
  }

  static ofCommand(command: readonly string[], env: Variables): Reader {
    const child = spawn(process.execPath, [PROGRAM, ...command], { env });
    const ended = once(child, 'exit');
    const reader = new Reader(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => (reader.#text += part.toString()));
    return reader;
  }

  /** Resolves with the text that was read once it contains this text. */
  until(text: string): Promise<string> {
    return eventually(`${text} to be read`, () => this.#text.includes(text) && this.#text);
  }

  async end(): Promise<void> {
    await this.stop();
  }
}
