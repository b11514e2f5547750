import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Responds to one request. */
export type Handler = (response: ServerResponse, request: IncomingMessage) => void;

/** A request that the server received. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * Server on the loopback address that records all requests and sends the responses that the test
 * defines.
 */
export class LoopbackUpstream {
  /** Received requests, oldest first. */
  readonly requests: Received[] = [];
  /** Connections over which requests arrived. */
  readonly sockets = new Set<IncomingMessage['socket']>();
  readonly #server: Server;
  handler: Handler = (response) => response.end('ok');

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      this.sockets.add(request.socket);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url = '', headers } = request;
        this.requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
        this.handler(response, request);
      });
    });
  }

  static async start(): Promise<LoopbackUpstream> {
    const upstream = new LoopbackUpstream();
    await new Promise<void>((resolve) => upstream.#server.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Makes the server respond to all later requests with this status and text. */
  answer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
    this.handler = (response) => response.writeHead(status, headers).end(text);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
