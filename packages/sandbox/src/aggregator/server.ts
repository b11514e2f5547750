import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Aggregator } from './aggregator.js';
import { answerBuild, answerPrices, answerQuotes, refusal, type Answer } from './endpoints.js';
import type { AggregatorEndpoint, AggregatorFault } from './faults.js';

/** Far above any request that makes sense here. */
const BODY_LIMIT_BYTES = 64 * 1024;
/** Longer than clients keep idle connections, so that a connection breaks only when ordered. */
const KEEP_ALIVE_MS = 75_000;

const ROUTES: Readonly<Record<string, AggregatorEndpoint>> = {
  'GET /swap/v3/quotes': 'quotes',
  'POST /swap/v3/build': 'build',
  'POST /v3/tokens/prices': 'prices',
};

/** The aggregator's HTTP server: swap interface and market interface on one origin. */
export function createAggregatorServer(aggregator: Aggregator): Server {
  const server = createServer((request, response) => {
    handle(aggregator, request, response).catch((error: unknown) => {
      // Either the client has gone, or the sandbox has a mistake, which must not look like a fault on purpose.
      if (response.headersSent || response.destroyed) response.destroy();
      else send(response, 500, 'text/plain', error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function handle(aggregator: Aggregator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://aggregator');
  const endpoint = ROUTES[`${request.method} ${url.pathname}`];
  const body = await readBody(request);
  if (endpoint === undefined) {
    sendJson(response, { status: 404, body: { messages: ['Not found'] } });
    return;
  }
  if (body === undefined) {
    response.setHeader('Connection', 'close');
    sendJson(response, { status: 413, body: { messages: ['Payload too large'] } });
    return;
  }
  const text = endpoint === 'quotes' ? url.search : body;
  aggregator.record({ endpoint, headers: singleHeaders(request), text });
  const fault = aggregator.faults.take(endpoint);
  const answer = (): Answer => answerOf(aggregator, endpoint, url.searchParams, body, fault);
  await reply(response, fault, answer);
}

async function reply(response: ServerResponse, fault: AggregatorFault | undefined, answer: () => Answer): Promise<void> {
  switch (fault?.kind) {
    case 'refuse': {
      const { status, messages = ['Refused'], revertError } = fault;
      sendJson(response, { status, body: { messages, revertError } });
      return;
    }
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
    case 'no-route':
    case 'hostile':
    case undefined:
      sendJson(response, answer());
  }
}

function answerOf(
  aggregator: Aggregator,
  endpoint: AggregatorEndpoint,
  query: URLSearchParams,
  text: string,
  fault: AggregatorFault | undefined,
): Answer {
  if (endpoint === 'quotes') return fault?.kind === 'no-route' ? { status: 200, body: [] } : answerQuotes(aggregator, query);
  const body = parseJson(text);
  if (body === undefined) return refusal('The body is not JSON');
  if (endpoint === 'prices') return answerPrices(aggregator, body);
  return answerBuild(aggregator, body, fault?.kind === 'hostile' ? fault.deed : undefined);
}

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
