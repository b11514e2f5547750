import { z } from 'zod';
import { Child, jsonLine, type ChildOptions, type Ending } from './child.js';
import { eventually } from './eventually.js';

/** Complete HTTP response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed JSON body; undefined for other content types. The caller must check its type. */
  readonly body: unknown;
}

/** Body of `POST /api/relayer/withdraw`. */
export interface WithdrawalBody {
  readonly poolAddress: string;
  readonly calldata: readonly string[];
  readonly quoteId?: string;
}

export interface WithdrawOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Query string of the URL, including the question mark. */
  readonly query?: string;
  readonly signal?: AbortSignal | undefined;
}

const Listening = z.object({
  message: z.literal('listening'),
  url: z.url(),
  metricsUrl: z.url().nullish(),
});

/** The built service, as a separate process. */
export class Service {
  readonly process: Child;
  #listening: z.output<typeof Listening> | undefined;

  /**
   * Starts the service. @param options options whose program is the main module of the built
   * service
   */
  constructor(options: Omit<ChildOptions, 'name'>) {
    this.process = new Child({ name: 'service', ...options });
  }

  get ended(): Promise<Ending> {
    return this.process.ended;
  }

  get isRunning(): boolean {
    return this.process.isRunning;
  }

  /** All output so far, from stdout and stderr. */
  get output(): string {
    return this.process.output;
  }

  /** URL of the service. @throws Error before {@link listening} */
  get url(): string {
    if (this.#listening === undefined) throw new Error('the service does not listen yet');
    return this.#listening.url;
  }

  /**
   * URL of the service's metrics. @throws Error before {@link listening}, or if the service has no
   * metrics server
   */
  get metricsUrl(): string {
    const url = this.#listening?.metricsUrl ?? null;
    if (url === null) throw new Error('the service does not serve metrics yet');
    return url;
  }

  /** Resolves when the service accepts HTTP requests. @throws EndedEarly */
  async listening(): Promise<void> {
    this.#listening = await this.process.line(jsonLine(Listening));
  }

  /** Resolves when the readiness check of the service succeeds. */
  async ready(): Promise<void> {
    await eventually(
      'the service to be ready',
      async () => (await this.get('/health/ready')).status === 200,
    );
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request(path, { headers });
  }

  /**
   * Returns the process's metrics in Prometheus format. Precondition: the service has a metrics
   * server.
   */
  async metrics(): Promise<string> {
    return (await request(this.metricsUrl, {})).text;
  }

  /** Posts a JSON body. @param body any value, even if the API does not allow it */
  post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    return this.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  withdraw(
    body: WithdrawalBody,
    { headers = {}, query = '', signal }: WithdrawOptions = {},
  ): Promise<Answer> {
    return this.post(`/api/relayer/withdraw${query}`, body, headers, signal);
  }

  /**
   * Submits a withdrawal without waiting for its outcome. Returns the path of the submission.
   * @throws Error if the service does not accept the withdrawal
   */
  async accepted(body: WithdrawalBody): Promise<string> {
    const { status, headers, text } = await this.withdraw(body, {
      headers: { prefer: 'respond-async' },
    });
    const location = headers.get('location');
    if (status !== 202 || location === null) throw new Error(`not accepted: ${status} ${text}`);
    return location;
  }

  request(path: string, init: RequestInit): Promise<Answer> {
    return request(`${this.url}${path}`, init);
  }
}

async function request(url: string, init: RequestInit): Promise<Answer> {
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
