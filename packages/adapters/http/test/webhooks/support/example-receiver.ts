import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const EXAMPLE = at('../../../examples/receiver.mjs');
const PYTHON_EXAMPLE = at('../../../examples/receiver.py');
export const RECEIVER_CERT = at('./receiver-cert.pem');
const RECEIVER_KEY = at('./receiver-key.pem');

/** True if the Python example can run here. */
export const HAS_PYTHON =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

function exampleWith(handle: string): string {
  const text = readFileSync(EXAMPLE, 'utf8');
  const changed = text.replace(/(async function handle\(event\) \{)[^]*?\n\}/, `$1\n${handle}\n}`);
  if (changed === text) throw new Error('the example handles nothing');
  return changed;
}

/** Example receiver that runs in a separate process. */
export class ExampleReceiver {
  /** Events that the receiver has handled, in order. */
  readonly events: unknown[] = [];
  readonly lines: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(
    secrets: readonly string[],
    {
      tls = false,
      port = 0,
      handle = null,
      isPython = false,
    }: {
      /** Runs the Python example. @default the JavaScript example */
      readonly isPython?: boolean;
      readonly tls?: boolean;
      readonly port?: number;
      /**
       * JavaScript statements that replace the body of the example's `handle` function, which never
       * fails.
       */
      readonly handle?: string | null;
    } = {},
  ): Promise<ExampleReceiver> {
    const run =
      handle === null ? [EXAMPLE] : ['--input-type=module', '--eval', exampleWith(handle)];
    const [program, args] = isPython ? ['python3', [PYTHON_EXAMPLE]] : [process.execPath, run];
    const child = spawn(program, args, {
      cwd: at('../..'),
      env: {
        PATH: process.env['PATH'],
        WEBHOOK_SECRETS: secrets.join(','),
        PORT: String(port),
        ...(tls ? { TLS_KEY: RECEIVER_KEY, TLS_CERT: RECEIVER_CERT } : {}),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [line] = await once(createInterface(child.stderr), 'line');
    const receiver = new ExampleReceiver(child, Number(/:(\d+)$/.exec(String(line))?.[1]));
    createInterface(child.stdout).on('line', (event) => {
      receiver.lines.push(event);
      receiver.events.push(JSON.parse(event));
    });
    return receiver;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill();
    await once(this.child, 'exit');
  }
}
