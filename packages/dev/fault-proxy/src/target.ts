import {
  Agent as PlainAgent,
  request as plainRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { Reply, type OwnCall } from './json-rpc.js';

/**
 * Time after which an idle connection to the target is closed. This is shorter than servers usually
 * keep idle connections. Otherwise the server could close a connection during a request, and cause
 * a fault that no test ordered.
 */
const IDLE_MS = 3_000;

/**
 * Headers that are not forwarded, because they describe a single connection or bytes that the proxy
 * changes. Without accept-encoding, servers send uncompressed responses.
 */
const NOT_FORWARDED = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'accept-encoding',
]);

/** Request as the proxy received it. */
export interface Delivery {
  readonly method: string;
  /** Path including the query string. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface TargetAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Client of the node behind the proxy, with connections that are reused. */
export class Target {
  readonly #url: URL;
  readonly #agent: PlainAgent;

  constructor(url: string) {
    this.#url = new URL(url);
    if (!['http:', 'https:'].includes(this.#url.protocol))
      throw new TypeError('the target is neither an http nor an https URL');
    const options = { keepAlive: true, timeout: IDLE_MS };
    this.#agent = this.#isTls ? new TlsAgent(options) : new PlainAgent(options);
  }

  /** Sends a request to the target once. @throws Error of the connection */
  async deliver({ method, path, headers, body }: Delivery): Promise<TargetAnswer> {
    const send = this.#isTls ? tlsRequest : plainRequest;
    const length = body.length > 0 && { 'content-length': body.length };
    const request = send(this.#at(path), {
      method,
      agent: this.#agent,
      headers: { ...forwarded(headers), ...length },
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject).end(body);
    });
    return {
      status: response.statusCode ?? 502,
      headers: forwarded(response.headers),
      body: await buffer(response),
    };
  }

  /** Sends one call of the proxy itself. @throws Error if the response is not a JSON-RPC reply */
  async query(call: OwnCall, like: Delivery): Promise<Reply> {
    const body = Buffer.from(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: call.method, params: call.params }),
    );
    const answer = await this.deliver({ ...like, body });
    return Reply.parse(JSON.parse(answer.body.toString('utf8')));
  }

  close(): void {
    this.#agent.destroy();
  }

  get #isTls(): boolean {
    return this.#url.protocol === 'https:';
  }

  /** Appends a path to the target's path. The path of some node providers contains an API key. */
  #at(path: string): URL {
    const [pathname = '/', query] = path.split('?', 2);
    const url = new URL(this.#url);
    if (pathname !== '/') url.pathname = `${url.pathname.replace(/\/$/, '')}${pathname}`;
    if (query !== undefined) url.search = query;
    return url;
  }
}

function forwarded(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name)));
}
