import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Json } from '../json.js';

/** HTTP response: status and JSON body. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Maximum body size, far above the size of any legitimate request. */
const BODY_LIMIT_BYTES = 64 * 1024;
/**
 * Time after which an idle connection is closed: longer than clients keep idle connections. A
 * connection that closes during a request would be an unintended fault.
 */
const KEEP_ALIVE_MS = 75_000;

/** Creates an HTTP server that passes every request to `handle`. */
export function httpServerOf(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // Either the client has disconnected, or the sandbox has a bug. The response to a bug must
      // differ from every injected fault.
      if (response.headersSent || response.destroyed) response.destroy();
      else
        send(
          response,
          500,
          'text/plain',
          error instanceof Error ? (error.stack ?? error.message) : String(error),
        );
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

/** Starts listening and returns the server's origin. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server is not listening on a TCP port');
  return `http://${host}:${address.port}`;
}

/** Stops the server and closes its open connections. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

/** Returns the request body as text; undefined if the body is too large. */
export function readBody(
  request: IncomingMessage,
  limitBytes = BODY_LIMIT_BYTES,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    request.on('error', reject);
  });
}

/** Joins several values of one header into one text, for each header. */
export function singleHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
}

export function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
): void {
  response
    .writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) })
    .end(body);
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, 'text/plain; charset=utf-8', text);
}

export function sendJson(response: ServerResponse, { status, body }: Answer): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
}
