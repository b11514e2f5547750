import { z } from 'zod';
import { Child, type Ending } from './child.js';
import { eventually } from './eventually.js';
import type { LogCounts } from './log-counts.js';
import type { WithdrawalBody } from './withdrawals.js';

/** An HTTP answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of JSON; undefined of anything else. */
  readonly body: unknown;
}

const Listening = z.object({ message: z.literal('listening'), url: z.url(), metricsUrl: z.url() });

/** A busy machine starts several things at a time. */
const START_MS = 60_000;

/** The built service, as a process of its own. */
export class Service {
  private constructor(
    private readonly child: Child,
    private readonly urls: z.output<typeof Listening>,
  ) {}

  /**
   * Resolves when it listens.
   * @param env the whole environment, PATH apart; it must serve metrics
   */
  static async start(
    env: Readonly<Record<string, string>>,
    logFile: string,
    log: LogCounts,
  ): Promise<Service> {
    const listening = Promise.withResolvers<z.output<typeof Listening>>();
    const onLine = (line: string): void => {
      const entry = log.read(line);
      const urls = Listening.safeParse(entry);
      if (urls.success) listening.resolve(urls.data);
    };
    const child = new Child({
      name: 'service',
      program: import.meta.resolve('@sotto/api'),
      env,
      logFile,
      onLine,
    });
    return new Service(child, await child.before(listening.promise));
  }

  /** Where it listens. */
  get address(): URL {
    return new URL(this.urls.url);
  }

  get ended(): Promise<Ending> {
    return this.child.ended;
  }

  get isRunning(): boolean {
    return this.child.isRunning;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves when the service says that it takes withdrawals. */
  async ready(): Promise<void> {
    await eventually(
      'the service to be ready',
      START_MS,
      async () => (await this.get('/health/ready')).status === 200,
    );
  }

  get(path: string, init: RequestInit = {}): Promise<Answer> {
    return ask(`${this.urls.url}${path}`, init);
  }

  /** The process's metrics, as Prometheus reads them. */
  async metrics(): Promise<string> {
    return (await ask(new URL('/metrics', this.urls.metricsUrl).href, {})).text;
  }

  withdraw(
    body: WithdrawalBody,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    return this.post('/api/relayer/withdraw', body, headers, signal);
  }

  post(
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    return this.get(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

async function ask(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
