import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionRefused, performAction } from '../control/actions.js';
import type { Control } from '../control/control.js';
import type { RpcEndpoint } from './endpoint.js';

/** Nodes take bodies up to this size. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/** Longer than clients keep idle connections: a connection that closes under a request would be a fault nobody ordered. */
const KEEP_ALIVE_MS = 75_000;

/** The node's HTTP server: `POST /` and `/rpc` for JSON-RPC, `POST /control` for the control interface, `GET /is_alive`. */
export function createHttpServer(endpoint: RpcEndpoint, control: Control): Server {
  const server = createServer((request, response) => {
    route(request, response, endpoint, control).catch((error: unknown) => {
      // Either the client has gone, or the sandbox has a mistake, which must not look like a fault on purpose.
      if (response.headersSent || response.destroyed) response.destroy();
      else send(response, 500, 'text/plain', error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function route(request: IncomingMessage, response: ServerResponse, endpoint: RpcEndpoint, control: Control): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (request.method === 'GET' && path === '/is_alive') {
    send(response, 200, 'text/plain', 'Alive!!!');
    return;
  }
  if (path !== '/' && path !== '/rpc' && path !== '/control') {
    send(response, 404, 'text/plain', 'Not found');
    return;
  }
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    send(response, 405, 'text/plain', 'Method not allowed');
    return;
  }
  const body = await readBody(request);
  if (body === undefined) {
    response.setHeader('Connection', 'close');
    send(response, 413, 'text/plain', 'Payload too large');
    return;
  }
  if (path === '/control') answerControl(response, control, body);
  else await answerRpc(response, endpoint, body);
}

async function answerRpc(response: ServerResponse, endpoint: RpcEndpoint, body: string): Promise<void> {
  const { beforeMs, answer } = endpoint.receive(body);
  if (beforeMs > 0) await sleep(beforeMs, undefined, { ref: false });
  const { afterMs, transport } = answer();
  if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
  switch (transport.kind) {
    case 'json':
      send(response, 200, 'application/json', JSON.stringify(transport.body));
      return;
    case 'empty':
      response.writeHead(204).end();
      return;
    case 'broken':
      response.destroy();
      return;
    case 'html':
      send(response, 502, 'text/html', '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>');
      return;
    case 'rate-limited':
      if (transport.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(transport.retryAfterSeconds));
      send(response, 429, 'application/json', JSON.stringify({ error: 'Too many requests' }));
  }
}

function answerControl(response: ServerResponse, control: Control, body: string): void {
  try {
    const result = performAction(control, JSON.parse(body));
    send(response, 200, 'application/json', JSON.stringify({ result }));
  } catch (error) {
    if (!(error instanceof ActionRefused || error instanceof SyntaxError)) throw error;
    send(response, 400, 'application/json', JSON.stringify({ error: error.message }));
  }
}

/** The body as text, undefined when it is larger than a node takes. */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_LIMIT_BYTES) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    request.on('error', reject);
  });
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
