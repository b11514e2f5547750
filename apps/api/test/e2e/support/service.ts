import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import type { WithdrawalBody } from './withdrawals.js';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

/** An HTTP answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of JSON; the type is the caller's to look at. */
  readonly body: unknown;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface WithdrawOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** With its question mark. */
  readonly query?: string;
  readonly signal?: AbortSignal;
}

/** The built service, as a process of its own. */
export class Service {
  readonly ended: Promise<Ending>;
  readonly #process: ChildProcess;
  readonly #output: string[] = [];
  #url: string | undefined;

  /** @param env the whole environment, but for the PATH and where Node keeps compiled modules */
  constructor(env: Readonly<Record<string, string>>) {
    this.#process = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer): void => void this.#output.push(chunk.toString());
    this.#process.stdout?.on('data', keep);
    this.#process.stderr?.on('data', keep);
    this.ended = once(this.#process, 'close').then((): Ending => ({
      code: this.#process.exitCode,
      signal: this.#process.signalCode,
    }));
  }

  /** Everything written so far, to either stream. */
  get output(): string {
    return this.#output.join('');
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Where it listens. @throws Error before {@link listening} */
  get url(): string {
    if (this.#url === undefined) throw new Error('the service does not listen yet');
    return this.#url;
  }

  /**
   * Resolves when HTTP requests are answered.
   * @throws Error when the process ends before, or not in time
   */
  async listening(): Promise<void> {
    this.#url = await eventually('the service to listen', () => {
      const url = /"url":"(http:[^"]+)"/.exec(this.output)?.[1];
      // One that ended right after has listened all the same.
      if (url === undefined && !this.isRunning)
        throw new Error(`the service ended: ${this.output}`);
      return url;
    });
  }

  /** Resolves when the service says that it takes withdrawals. */
  async ready(): Promise<void> {
    await eventually(
      'the service to be ready',
      async () => (await this.get('/health/ready')).status === 200,
    );
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request(path, { headers });
  }

  /** @param body sent as JSON, whatever the interface says of it */
  post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  withdraw(
    body: WithdrawalBody,
    { headers = {}, query = '', signal }: WithdrawOptions = {},
  ): Promise<Answer> {
    return this.request(`/api/relayer/withdraw${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /**
   * Accepted and not waited for: the submission's path.
   * @throws Error when it is not accepted so
   */
  async accepted(body: WithdrawalBody): Promise<string> {
    const { status, headers, text } = await this.withdraw(body, {
      headers: { prefer: 'respond-async' },
    });
    const location = headers.get('location');
    if (status !== 202 || location === null) throw new Error(`not accepted: ${status} ${text}`);
    return location;
  }

  async request(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
