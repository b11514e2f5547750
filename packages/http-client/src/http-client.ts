import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { addAbortSignal, Readable } from 'node:stream';
import { create, type AxiosInstance } from 'axios';
import { Fault } from '@sotto/kernel';
import { UpstreamAnswered, UpstreamAnswerTooLarge, UpstreamTimedOut, UpstreamUnreachable } from './errors.js';
import { parseRetryAfter } from './retry-after.js';

export interface HttpClientOptions {
  /** What messages call the upstream, for example `node`; its address never appears in them. */
  readonly name: string;
  readonly baseUrl: string;
  /** For the whole exchange, from the name lookup to the last byte. */
  readonly timeoutMs: number;
  /** After decompression. */
  readonly maxResponseBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PostRequest {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** @default the client's */
  readonly timeoutMs?: number;
  /** Sent once more, within the same deadline, when the connection breaks before an answer. @default false */
  readonly idempotent?: boolean;
}

/**
 * Requests to one upstream over kept-alive connections. One call is one request on the wire, unless it is marked idempotent:
 * no redirect is followed, no proxy is taken from the environment, nothing is retried.
 */
export interface HttpClient {
  /**
   * The body of a 2xx answer as text, not interpreted.
   * @throws UpstreamTimedOut, UpstreamUnreachable, UpstreamAnswered or UpstreamAnswerTooLarge, and nothing else
   */
  post(request: PostRequest): Promise<string>;
  /** Closes the idle connections. */
  close(): void;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  return new AxiosHttpClient(options);
}

class AxiosHttpClient implements HttpClient {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #maxResponseBytes: number;
  readonly #agents = { httpAgent: new HttpAgent({ keepAlive: true }), httpsAgent: new HttpsAgent({ keepAlive: true }) };
  readonly #axios: AxiosInstance;

  constructor({ name, baseUrl, timeoutMs, maxResponseBytes, headers = {} }: HttpClientOptions) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
    this.#maxResponseBytes = maxResponseBytes;
    this.#axios = create({
      ...this.#agents,
      baseURL: baseUrl,
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

  async post({ timeoutMs = this.#timeoutMs, idempotent = false, ...request }: PostRequest): Promise<string> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      return await this.#exchange(request, deadline);
    } catch (error) {
      if (!idempotent || !(error instanceof UpstreamUnreachable)) throw error;
      return this.#exchange(request, deadline);
    }
  }

  close(): void {
    this.#agents.httpAgent.destroy();
    this.#agents.httpsAgent.destroy();
  }

  async #exchange({ body, contentType }: Pick<PostRequest, 'body' | 'contentType'>, deadline: AbortSignal): Promise<string> {
    try {
      const { status, headers, data } = await this.#axios.post<unknown>('', Buffer.from(body.buffer, body.byteOffset, body.byteLength), {
        signal: deadline,
        headers: { 'Content-Type': contentType },
      });
      if (!(data instanceof Readable)) throw new TypeError('the transport gave no stream');
      if (status < 200 || status > 299) {
        data.destroy();
        throw new UpstreamAnswered(`${this.#name} answered ${status}`, status, parseRetryAfter(headers['retry-after'], Date.now()));
      }
      return await this.#read(addAbortSignal(deadline, data));
    } catch (error) {
      // An error of the transport holds the request with its body and headers: only its code may go on.
      if (error instanceof Fault) throw error;
      if (deadline.aborted) throw new UpstreamTimedOut(`${this.#name} did not answer in time`);
      throw new UpstreamUnreachable(`${this.#name} can not be reached`, { details: { reason: codeOf(error) } });
    }
  }

  async #read(stream: Readable): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > this.#maxResponseBytes) {
        throw new UpstreamAnswerTooLarge(`${this.#name} answered more than ${this.#maxResponseBytes} bytes`);
      }
      chunks.push(bytes);
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'UNKNOWN';
}
