import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SolverAction, performSolverAction } from './actions.js';
import type { SolverEndpoint, SolverFault } from './faults.js';
import { answerOneClickQuote, answerOneClickStatus, answerTokens, refuseOneClick } from './one-click-endpoints.js';
import type { Solver, SolverRequest } from './solver.js';
import { answerSpecQuote, answerSpecStatus, refuseSpec, type Answer } from './spec-endpoints.js';

/** Far above any request that makes sense here. */
const BODY_LIMIT_BYTES = 64 * 1024;
/** Longer than clients keep idle connections, so that a connection breaks only when ordered. */
const KEEP_ALIVE_MS = 75_000;

/** Below the origin. */
export const SOLVER_PATHS = { spec: '/bridge', oneClick: '/1click', control: '/control' } as const;

const ROUTES: Readonly<Record<string, readonly [SolverRequest['shape'], SolverEndpoint]>> = {
  [`POST ${SOLVER_PATHS.spec}/quote`]: ['spec', 'quote'],
  [`GET ${SOLVER_PATHS.spec}/status`]: ['spec', 'status'],
  [`GET ${SOLVER_PATHS.oneClick}/v0/tokens`]: ['1click', 'tokens'],
  [`POST ${SOLVER_PATHS.oneClick}/v0/quote`]: ['1click', 'quote'],
  [`GET ${SOLVER_PATHS.oneClick}/v0/status`]: ['1click', 'status'],
};

/** The solver's HTTP server: both wire shapes and the control interface on one origin. */
export function createSolverServer(solver: Solver): Server {
  const server = createServer((request, response) => {
    handle(solver, request, response).catch((error: unknown) => {
      // Either the client has gone, or the sandbox has a mistake, which must not look like a fault on purpose.
      if (response.headersSent || response.destroyed) response.destroy();
      else send(response, 500, 'text/plain', error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function handle(solver: Solver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://solver');
  const body = await readBody(request);
  if (body === undefined) {
    response.setHeader('Connection', 'close');
    send(response, 413, 'text/plain', 'Payload too large');
    return;
  }
  const place = `${request.method} ${url.pathname}`;
  if (place === `POST ${SOLVER_PATHS.control}`) {
    answerControl(solver, response, body);
    return;
  }
  const route = ROUTES[place];
  if (route === undefined) {
    send(response, 404, 'text/plain', 'Not found');
    return;
  }
  const [shape, endpoint] = route;
  solver.record({ shape, endpoint, headers: singleHeaders(request), text: request.method === 'GET' ? url.search : body });
  const fault = solver.faults.take(endpoint);
  await reply(response, shape, fault, () => answerOf(solver, route, url.searchParams, parseJson(body), fault));
}

async function reply(
  response: ServerResponse,
  shape: SolverRequest['shape'],
  fault: SolverFault | undefined,
  answer: () => Answer,
): Promise<void> {
  switch (fault?.kind) {
    case 'refuse':
      sendJson(response, (shape === 'spec' ? refuseSpec : refuseOneClick)(fault.status, fault.message));
      return;
    case 'rate-limited':
      if (fault.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(fault.retryAfterSeconds));
      send(response, 429, 'text/plain', 'Too Many Requests');
      return;
    case 'html':
      send(response, 502, 'text/html', '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>');
      return;
    case 'answer':
      send(response, 200, 'application/json', JSON.stringify(fault.body));
      return;
    case 'cut':
      response.destroy();
      return;
    case 'late':
      await sleep(fault.delayMs, undefined, { ref: false });
      sendJson(response, answer());
      return;
    case 'word':
    case undefined:
      sendJson(response, answer());
  }
}

function answerOf(
  solver: Solver,
  [shape, endpoint]: readonly [SolverRequest['shape'], SolverEndpoint],
  query: URLSearchParams,
  body: unknown,
  fault: SolverFault | undefined,
): Answer {
  const word = fault?.kind === 'word' ? fault.word : undefined;
  switch (endpoint) {
    case 'quote':
      return shape === 'spec' ? answerSpecQuote(solver, body) : answerOneClickQuote(solver, body);
    case 'status':
      return shape === 'spec' ? answerSpecStatus(solver, query, word) : answerOneClickStatus(solver, query, word);
    case 'tokens':
      return answerTokens(solver);
  }
}

function answerControl(solver: Solver, response: ServerResponse, body: string): void {
  const order = SolverAction.safeParse(parseJson(body));
  if (!order.success) {
    sendJson(response, { status: 400, body: { error: z.prettifyError(order.error) } });
    return;
  }
  try {
    const result = performSolverAction(solver, order.data);
    const text = JSON.stringify({ result }, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
    send(response, 200, 'application/json', text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    sendJson(response, { status: 400, body: { error: error.message } });
  }
}

/** Undefined, which no order and no request is, for a body that is no JSON. */
function parseJson(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return body;
  } catch {
    return undefined;
  }
}

function singleHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]));
}

/** The body as text, undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > BODY_LIMIT_BYTES) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, { status, body }: Answer): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
}
