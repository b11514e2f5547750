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

/**
 * Maximum Retry-After in seconds. If a header contains a longer time, this value is used instead.
 */
const LONGEST_SECONDS = 3_600;

/** Parses a date in HTTP's format to ms since the Unix epoch. Undefined for any other value. */
function parseHttpDate(header: unknown): number | undefined {
  // An HTTP date always begins with the name of a weekday. Date.parse alone accepts almost any
  // text.
  if (typeof header !== 'string' || !/^[A-Z][a-z]{2},? /.test(header.trim())) return undefined;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/**
 * Parses a Retry-After header, which contains a number of seconds or a date. Returns at most an
 * hour, in seconds, or undefined for any other value.
 */
function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
  if (typeof header === 'string' && /^\d{1,9}$/.test(header.trim()))
    return Math.min(Number(header), LONGEST_SECONDS);
  const atMs = parseHttpDate(header);
  if (atMs === undefined) return undefined;
  return Math.min(Math.max(Math.ceil((atMs - nowMs) / 1000), 0), LONGEST_SECONDS);
}

export interface HttpClientOptions {
  /** Name of the upstream in messages, for example `node`. Messages never contain its URL. */
  readonly name: string;
  readonly baseUrl: string;
  /**
   * Timeout of the whole call in ms, from the DNS lookup to the last byte, including retries and
   * the delays between them.
   */
  readonly timeoutMs: number;
  /** Maximum size of a response in bytes, after decompression. */
  readonly maxResponseBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Rules for retrying idempotent requests.
   * @default one retry, immediately, if the connection breaks before a response
   */
  readonly retry?: RetryOptions;
  /** Options of the circuit breaker. @default none: every call sends a request */
  readonly breaker?: BreakerOptions;
  /** Clock for the delays between retries. @default {@link systemClock} */
  readonly clock?: Clock;
}

export interface PostRequest {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Timeout of the call in ms. @default the client's timeout */
  readonly timeoutMs?: number;
  /**
   * True if the request may be retried according to the client's `retry`. @default false: the call
   * sends exactly one request
   */
  readonly idempotent?: boolean;
}

export interface GetRequest {
  /** Path below the base URL. The path must be a constant, because values belong in `params`. */
  readonly path: string;
  readonly params?: QueryParams;
  /** Statuses other than 2xx whose body is returned. @default none */
  readonly answers?: readonly number[];
  /** Timeout of the call in ms. @default the client's timeout */
  readonly timeoutMs?: number;
}

export interface JsonPostRequest extends GetRequest {
  readonly body: unknown;
  /**
   * True if the request may be retried according to the client's `retry`. @default false: the call
   * sends exactly one request
   */
  readonly idempotent?: boolean;
}

/** A response whose body is not interpreted. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /**
   * Time in the response's Date header, in ms since the Unix epoch. Undefined without a valid
   * header.
   */
  readonly dateMs: number | undefined;
}

/**
 * Sends requests to one upstream over kept-alive connections. If a call is not idempotent, it sends
 * exactly one request: the client follows no redirect, uses no proxy from the environment, and
 * retries nothing.
 *
 * Calls reject only with UpstreamTimedOut, UpstreamUnreachable, UpstreamAnswered or
 * UpstreamAnswerTooLarge. With a breaker, they may also reject with UpstreamPaused.
 */
export interface HttpClient {
  /** Sends bytes to the base URL itself, and returns the body of a 2xx response. */
  post(request: PostRequest): Promise<string>;
  /** Sends a GET, which is always idempotent. */
  get(request: GetRequest): Promise<HttpAnswer>;
  postJson(request: JsonPostRequest): Promise<HttpAnswer>;
  /** Closes the idle connections to the upstream. */
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
 * HTTP client based on axios, which the agreed architecture requires. `node:http` would need less
 * processor time per withdrawal, but then this project would have to maintain its own client.
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
      // This code reads the stream itself, so that one deadline and one limit apply to every byte.
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
      if (!(data instanceof Readable)) throw new TypeError('the transport returned no stream');
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
      // An error of axios contains the request with its body and headers. So only the error's code
      // may be copied to the new error.
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
