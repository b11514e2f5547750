import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const EXAMPLE = at('../../examples/receiver.mjs');
export const RECEIVER_CERT = at('./receiver-cert.pem');
const RECEIVER_KEY = at('./receiver-key.pem');

/** The receiver of the examples, as a process of its own. */
export class ExampleReceiver {
  /** What it has handled, in order. */
  readonly events: unknown[] = [];
  readonly lines: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(
    secrets: readonly string[],
    { tls = false, port = 0 }: { readonly tls?: boolean; readonly port?: number } = {},
  ): Promise<ExampleReceiver> {
    const child = spawn(process.execPath, [EXAMPLE], {
      env: {
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
