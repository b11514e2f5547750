import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DevError } from '../dev-error.js';
import type { DevDescriptionJson } from '../description.js';
import type { Helpers } from './helpers.js';

/** CORS headers, with which pages of any origin may use the helpers. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': '*',
};
const BODY_LIMIT_BYTES = 64 * 1024;

/**
 * Server of the helpers over HTTP. `POST /<name>` with a JSON body returns the result as JSON, or
 * status 400 and `{ "error": … }`. `GET /` returns the description of the stack.
 */
export class HelperServer {
  #description: DevDescriptionJson | null = null;
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  constructor(private readonly helpers: Helpers) {}

  /** Sets the description that `GET /` returns. */
  describe(description: DevDescriptionJson): void {
    this.#description = description;
  }

  /** Starts listening. @returns the server's origin */
  async listen(host: string, port: number): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the helpers have no port');
    return `http://${host}:${address.port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/' } = request;
    if (method === 'OPTIONS') {
      response.writeHead(204, CORS).end();
      return;
    }
    const { status, body } = await this.#reply(method, url, request);
    response.writeHead(status, { ...CORS, 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  async #reply(
    method: string | undefined,
    url: string,
    request: IncomingMessage,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    try {
      if (method === 'GET' && url === '/') return { status: 200, body: this.#describe() };
      if (method !== 'POST')
        throw new DevError('helpers are called by POST, the description by GET /');
      const order: unknown = JSON.parse((await bodyOf(request)) || '{}');
      return { status: 200, body: (await this.helpers.perform(url.slice(1), order)) ?? null };
    } catch (error) {
      const isRejection = error instanceof DevError || error instanceof SyntaxError;
      const message = error instanceof Error ? error.message : String(error);
      return { status: isRejection ? 400 : 500, body: { error: message } };
    }
  }

  #describe(): object {
    if (this.#description === null) throw new DevError('the stack is still starting');
    return this.#description;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > BODY_LIMIT_BYTES) throw new DevError('the order is too long');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
