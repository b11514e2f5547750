import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { z } from 'zod';
import {
  SignerMalformedAnswer,
  SignerRefused,
  SignerTimedOut,
  SignerUnavailable,
} from './errors.js';

/** Address of a signer. */
export interface SignerEndpoint {
  /** `unix:/run/sotto/signer.sock`, or an http or https address. */
  readonly url: string;
  /** PEM texts: certificate and key of this client, and the CA of the signer's certificate. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string } | null;
  /**
   * Timeout from the first byte of the request to the last byte of the response, in milliseconds.
   */
  readonly timeoutMs: number;
}

/**
 * Maximum size of a response, in bytes. A response for 200 accounts, the maximum that a policy may
 * list, is smaller.
 */
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_SOCKETS = 16;
const OK = 200;
const UNAVAILABLE: readonly number[] = [429, 502, 503, 504];
const Rejection = z.object({ code: z.string().regex(/^SIGNER_[A-Z_]{1,60}$/) });

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends requests to the signer over kept-alive connections. Calls reject only with
 * SignerUnavailable, SignerTimedOut, SignerRefused or SignerMalformedAnswer.
 */
export class SignerClient {
  readonly #target: RequestOptions;
  readonly #send: typeof httpRequest;
  readonly #agent: HttpAgent;
  readonly #timeoutMs: number;

  constructor({ url, tls, timeoutMs }: SignerEndpoint) {
    const { protocol, pathname, hostname, port } = new URL(url);
    const isSecure = protocol === 'https:';
    const kept = { keepAlive: true, maxSockets: MAX_SOCKETS };
    this.#agent = isSecure
      ? // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED can’t disable the certificate check.
        new HttpsAgent({ ...kept, ...tls, minVersion: 'TLSv1.3', rejectUnauthorized: true })
      : new HttpAgent(kept);
    this.#send = isSecure ? httpsRequest : httpRequest;
    this.#target =
      protocol === 'unix:'
        ? { socketPath: decodeURIComponent(pathname), host: 'signer' }
        : { hostname, port };
    this.#timeoutMs = timeoutMs;
  }

  async call<T>(path: string, answer: z.ZodType<T>, body?: Uint8Array): Promise<T> {
    const { status, text } = await this.#exchange(path, body);
    if (UNAVAILABLE.includes(status)) throw new SignerUnavailable();
    const json = parsed(text);
    const read = status === OK ? answer.safeParse(json) : undefined;
    if (read?.success === true) return read.data;
    const rejection = status === OK ? undefined : Rejection.safeParse(json).data;
    if (rejection !== undefined) throw new SignerRefused({ details: { reason: rejection.code } });
    throw new SignerMalformedAnswer();
  }

  /** Closes the idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  async #exchange(path: string, body: Uint8Array | undefined): Promise<Answer> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await this.#once(path, body, signal);
    } catch (error) {
      if (signal.aborted) throw new SignerTimedOut();
      // The signer may have closed an idle connection, so the request is sent again. The repetition
      // is safe: the signer charges a transaction once even if it signs the transaction twice.
      if (!(error instanceof StaleConnection)) throw asUnavailable(error);
    }
    try {
      return await this.#once(path, body, signal);
    } catch (error) {
      throw signal.aborted ? new SignerTimedOut() : asUnavailable(error);
    }
  }

  async #once(path: string, body: Uint8Array | undefined, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = this.#send({
        ...this.#target,
        agent: this.#agent,
        method: body === undefined ? 'GET' : 'POST',
        path,
        headers:
          body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': body.length },
        signal,
      });
      request.on('error', (error) =>
        reject(request.reusedSocket && !signal.aborted ? new StaleConnection() : error),
      );
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('error', reject);
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) request.destroy(new SignerMalformedAnswer());
          else chunks.push(chunk);
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      request.end(body);
    });
  }
}

/** The server had already closed a kept-alive connection when a request was sent. */
class StaleConnection extends Error {}

function asUnavailable(error: unknown): Error {
  return error instanceof SignerMalformedAnswer ? error : new SignerUnavailable({ cause: error });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
