import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { addAbortSignal, Readable } from 'node:stream';
import { create, type AxiosInstance } from 'axios';
import { DomainError, systemClock, type Clock } from '@sotto/kernel';
import { Breaker, type BreakerOptions } from './breaker.js';
import {
  UpstreamAnswered,
  UpstreamAnswerTooLarge,
  UpstreamTimedOut,
  UpstreamUnreachable,
} from './errors.js';
import { retryDelayMs, type RetryOptions } from './retry.js';
import { targetUrl, type QueryParams } from './target-url.js';

/** An upstream that asks for more is asked again sooner. */
const LONGEST_SECONDS = 3_600;

/** Milliseconds since the epoch of a date as HTTP writes it; undefined for any other value. */
function parseHttpDate(header: unknown): number | undefined {
  // A date always begins with the name of a day; Date.parse alone takes nearly anything.
  if (typeof header !== 'string' || !/^[A-Z][a-z]{2},? /.test(header.trim())) return undefined;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/**
 * Seconds of a Retry-After header, which is a number of seconds or a date; undefined when it is
 * neither, at most an hour.
 */
function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
  if (typeof header === 'string' && /^\d{1,9}$/.test(header.trim()))
    return Math.min(Number(header), LONGEST_SECONDS);
  const atMs = parseHttpDate(header);
  if (atMs === undefined) return undefined;
  return Math.min(Math.max(Math.ceil((atMs - nowMs) / 1000), 0), LONGEST_SECONDS);
}

export interface HttpClientOptions {
  /** What messages call the upstream, for example `node`; its address never appears in them. */
  readonly name: string;
  readonly baseUrl: string;
  /**
   * For the whole call, from the name lookup to the last byte, repetitions and their waits
   * included.
   */
  readonly timeoutMs: number;
  /** After decompression. */
  readonly maxResponseBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * How idempotent requests are repeated.
   * @default once, at once, when the connection breaks before an answer
   */
  readonly retry?: RetryOptions;
  /** @default none: every call is a request */
  readonly breaker?: BreakerOptions;
  /** For waits between repetitions. @default {@link systemClock} */
  readonly clock?: Clock;
}

export interface PostRequest {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** @default the client's */
  readonly timeoutMs?: number;
  /** Repeated as the client's `retry` says. @default false: one request, whatever happens */
  readonly idempotent?: boolean;
}

export interface GetRequest {
  /** Below the base address; a constant, since values belong into `params`. */
  readonly path: string;
  readonly params?: QueryParams;
  /** Statuses besides 2xx whose body is an answer. @default none */
  readonly answers?: readonly number[];
  /** @default the client's */
  readonly timeoutMs?: number;
}

export interface JsonPostRequest extends GetRequest {
  readonly body: unknown;
  /** Repeated as the client's `retry` says. @default false: one request, whatever happens */
  readonly idempotent?: boolean;
}

/** An answer whose body is not interpreted. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** When the upstream made it, by its own clock; undefined when it does not say. */
  readonly dateMs: number | undefined;
}

/**
 * Requests to one upstream over kept-alive connections. One call is one request on the wire, unless
 * it is idempotent: no redirect is followed, no proxy is taken from the environment, nothing else
 * is retried.
 *
 * Calls reject with UpstreamTimedOut, UpstreamUnreachable, UpstreamAnswered,
 * UpstreamAnswerTooLarge, or, with a breaker, UpstreamPaused, and nothing else.
 */
export interface HttpClient {
  /** The body of a 2xx answer to bytes sent to the base address itself. */
  post(request: PostRequest): Promise<string>;
  /** Idempotent. */
  get(request: GetRequest): Promise<HttpAnswer>;
  postJson(request: JsonPostRequest): Promise<HttpAnswer>;
  /** Closes the idle connections. */
  close(): void;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  return new AxiosHttpClient(options);
}

interface Message {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly params: QueryParams;
  readonly content?: { readonly type: string; readonly bytes: Uint8Array };
  readonly answers: readonly number[];
}

/**
 * On axios, which is part of the shape that was agreed on: `node:http` in its place would save
 * some of a withdrawal's processor time, for a client of our own to keep.
 */
class AxiosHttpClient implements HttpClient {
  readonly #name: string;
  readonly #baseUrl: string;
  readonly #timeoutMs: number;
  readonly #maxResponseBytes: number;
  readonly #retry: RetryOptions | undefined;
  readonly #breaker: Breaker | undefined;
  readonly #clock: Clock;
  readonly #agents = {
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
  };
  readonly #axios: AxiosInstance;

  constructor({
    name,
    baseUrl,
    timeoutMs,
    maxResponseBytes,
    headers = {},
    retry,
    breaker,
    clock = systemClock,
  }: HttpClientOptions) {
    this.#name = name;
    this.#baseUrl = baseUrl;
    this.#timeoutMs = timeoutMs;
    this.#maxResponseBytes = maxResponseBytes;
    this.#retry = retry;
    this.#breaker = breaker === undefined ? undefined : new Breaker(name, breaker);
    this.#clock = clock;
    this.#axios = create({
      ...this.#agents,
      headers,
      adapter: 'http',
      proxy: false,
      maxRedirects: 0,
      // The stream is read here, so that one deadline and one limit hold for every byte.
      responseType: 'stream',
      validateStatus: () => true,
      transformRequest: [(data: unknown) => data],
      transformResponse: [],
    });
  }

  async post({ body, contentType, timeoutMs, idempotent = false }: PostRequest): Promise<string> {
    const message: Message = {
      method: 'POST',
      path: '',
      params: {},
      content: { type: contentType, bytes: body },
      answers: [],
    };
    return (await this.#call(message, idempotent, timeoutMs)).text;
  }

  async get({ path, params = {}, answers = [], timeoutMs }: GetRequest): Promise<HttpAnswer> {
    return this.#call({ method: 'GET', path, params, answers }, true, timeoutMs);
  }

  async postJson({
    path,
    params = {},
    answers = [],
    body,
    timeoutMs,
    idempotent = false,
  }: JsonPostRequest): Promise<HttpAnswer> {
    const content = { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
    return this.#call({ method: 'POST', path, params, answers, content }, idempotent, timeoutMs);
  }

  close(): void {
    this.#agents.httpAgent.destroy();
    this.#agents.httpsAgent.destroy();
  }

  async #call(
    message: Message,
    idempotent: boolean,
    timeoutMs = this.#timeoutMs,
  ): Promise<HttpAnswer> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const endsAtMs = this.#clock.monotonicMs() + timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const exchange = (): Promise<HttpAnswer> => this.#exchange(message, deadline);
        return await (this.#breaker === undefined ? exchange() : this.#breaker.run(exchange));
      } catch (error) {
        const delayMs = idempotent ? retryDelayMs(error, attempt, this.#retry) : undefined;
        if (delayMs === undefined || this.#clock.monotonicMs() + delayMs >= endsAtMs) throw error;
        await this.#clock.sleep(delayMs, deadline);
      }
    }
  }

  async #exchange(
    { method, path, params, content, answers }: Message,
    deadline: AbortSignal,
  ): Promise<HttpAnswer> {
    try {
      const { status, headers, data } = await this.#axios.request<unknown>({
        method,
        url: targetUrl(this.#baseUrl, path, params),
        signal: deadline,
        ...(content === undefined
          ? {}
          : { data: viewOf(content.bytes), headers: { 'Content-Type': content.type } }),
      });
      if (!(data instanceof Readable)) throw new TypeError('the transport gave no stream');
      if ((status < 200 || status > 299) && !answers.includes(status)) {
        data.destroy();
        throw new UpstreamAnswered(
          `${this.#name} answered ${status}`,
          status,
          parseRetryAfter(headers['retry-after'], Date.now()),
        );
      }
      return {
        status,
        text: await this.#read(addAbortSignal(deadline, data)),
        dateMs: parseHttpDate(headers['date']),
      };
    } catch (error) {
      // An error of the transport holds the request with its body and headers: only its code may go
      // on.
      if (error instanceof DomainError) throw error;
      if (deadline.aborted)
        throw new UpstreamTimedOut({ message: `${this.#name} did not answer in time` });
      const reason = codeOf(error);
      throw new UpstreamUnreachable({
        message: `${this.#name} can not be reached`,
        details: { reason },
        causeCode: reason,
      });
    }
  }

  async #read(stream: Readable): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > this.#maxResponseBytes) {
        throw new UpstreamAnswerTooLarge({
          message: `${this.#name} answered more than ${this.#maxResponseBytes} bytes`,
        });
      }
      chunks.push(bytes);
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function codeOf(error: unknown): string {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'UNKNOWN';
}
