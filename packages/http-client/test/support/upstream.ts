import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Answers one request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A loopback server whose answers a test scripts; it counts what reaches it. */
export class Upstream {
  readonly requests: { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = [];
  readonly sockets = new Set<unknown>();
  readonly #server: Server;
  handler: Handler = (_request, response) => response.end('ok');

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      this.sockets.add(request.socket);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.requests.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
        this.handler(request, response);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** What the promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error: unknown) => error,
  );
}
