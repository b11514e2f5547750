import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionRefused, performAction } from '../control/actions.js';
import type { Control } from '../control/control.js';
import { sendPage } from '../http/faults.js';
import { httpServerOf, readBody, send } from '../http/server.js';
import type { RpcEndpoint } from './endpoint.js';

/** Maximum size of a request body that nodes accept. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/** CORS headers that public nodes send to browsers. */
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '600',
};

/**
 * Creates the node's HTTP server. `POST /` and `/rpc` are for JSON-RPC, also from pages in a
 * browser. `POST /control` is for the control interface, and `GET /is_alive` for liveness checks.
 */
export function createHttpServer(endpoint: RpcEndpoint, control: Control): Server {
  return httpServerOf((request, response) => route(request, response, endpoint, control));
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: RpcEndpoint,
  control: Control,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (request.method === 'GET' && path === '/is_alive') {
    send(response, 200, 'text/plain', 'Alive!!!');
    return;
  }
  if (path !== '/' && path !== '/rpc' && path !== '/control') {
    send(response, 404, 'text/plain', 'Not found');
    return;
  }
  const isRpc = path !== '/control';
  if (isRpc) response.setHeader('Access-Control-Allow-Origin', '*');
  if (isRpc && request.method === 'OPTIONS') {
    response.writeHead(204, PREFLIGHT_HEADERS).end();
    return;
  }
  if (request.method !== 'POST') {
    response.setHeader('Allow', isRpc ? 'POST, OPTIONS' : 'POST');
    send(response, 405, 'text/plain', 'Method not allowed');
    return;
  }
  const body = await readBody(request, BODY_LIMIT_BYTES);
  if (body === undefined) {
    response.setHeader('Connection', 'close');
    send(response, 413, 'text/plain', 'Payload too large');
    return;
  }
  if (!isRpc) answerControl(response, control, body);
  else await answerRpc(response, endpoint, body, control.latencyMs / 2);
}

/**
 * Sends the response to an RPC request. @param wayMs network delay in ms, split between request and
 * response
 */
async function answerRpc(
  response: ServerResponse,
  endpoint: RpcEndpoint,
  body: string,
  wayMs: number,
): Promise<void> {
  if (wayMs > 0) await sleep(wayMs, undefined, { ref: false });
  const { beforeMs, answer } = endpoint.receive(body);
  if (beforeMs > 0) await sleep(beforeMs, undefined, { ref: false });
  const { afterMs, transport } = answer();
  if (afterMs + wayMs > 0) await sleep(afterMs + wayMs, undefined, { ref: false });
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
      sendPage(response, 'text/html');
      return;
    case 'rate-limited':
      if (transport.retryAfterSeconds !== undefined)
        response.setHeader('Retry-After', String(transport.retryAfterSeconds));
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
