import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { misbehave } from '../http/faults.js';
import { httpServerOf, readBody, sendJson, singleHeaders, type Answer } from '../http/server.js';
import { parseJson } from '../json.js';
import type { Aggregator } from './aggregator.js';
import { answerBuild, answerHistory, answerPrices, answerQuotes, rejection } from './endpoints.js';
import type { AggregatorEndpoint, AggregatorFault } from './faults.js';

const ROUTES: Readonly<Record<string, AggregatorEndpoint>> = {
  'GET /swap/v3/quotes': 'quotes',
  'POST /swap/v3/build': 'build',
  'POST /v3/tokens/prices': 'prices',
};

const HISTORY = /^(?<second>\/second)?\/v3\/tokens\/(?<token>[^/]+)\/prices\/line$/;

/**
 * Creates the aggregator's HTTP server. The swap interface and the market interface have one
 * origin.
 */
export function createAggregatorServer(aggregator: Aggregator): Server {
  return httpServerOf((request, response) => handle(aggregator, request, response));
}

async function handle(
  aggregator: Aggregator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://aggregator');
  const endpoint = endpointOf(request.method, url.pathname);
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
  const text = request.method === 'GET' ? url.search : body;
  aggregator.record({ endpoint, headers: singleHeaders(request), text });
  const fault = aggregator.faults.take(
    (order) => order.endpoint === '*' || order.endpoint === endpoint,
  )?.fault;
  const answer = (): Answer => answerOf(aggregator, endpoint, url, body, fault);
  await reply(response, fault, answer);
}

function endpointOf(method: string | undefined, path: string): AggregatorEndpoint | undefined {
  const history = method === 'GET' ? HISTORY.exec(path) : null;
  if (history === null) return ROUTES[`${method} ${path}`];
  return history.groups?.['second'] === undefined ? 'history' : 'secondHistory';
}

async function reply(
  response: ServerResponse,
  fault: AggregatorFault | undefined,
  answer: () => Answer,
): Promise<void> {
  if (fault?.kind === 'refuse') {
    const { status, messages = ['Refused'], revertError } = fault;
    sendJson(response, { status, body: { messages, revertError } });
  } else if (
    fault === undefined ||
    fault.kind === 'no-route' ||
    fault.kind === 'hostile' ||
    fault.kind === 'hostile-quotes'
  ) {
    sendJson(response, answer());
  } else await misbehave(response, fault, answer);
}

function answerOf(
  aggregator: Aggregator,
  endpoint: AggregatorEndpoint,
  { pathname, searchParams: query }: URL,
  text: string,
  fault: AggregatorFault | undefined,
): Answer {
  if (endpoint === 'quotes') {
    if (fault?.kind === 'no-route') return { status: 200, body: [] };
    return answerQuotes(
      aggregator,
      query,
      fault?.kind === 'hostile-quotes' ? fault.deed : undefined,
    );
  }
  if (endpoint === 'history' || endpoint === 'secondHistory') {
    const token = HISTORY.exec(pathname)?.groups?.['token'] ?? '';
    return answerHistory(aggregator, token, query, endpoint === 'history' ? 'first' : 'second');
  }
  const body = parseJson(text);
  if (body === undefined) return rejection('The body is not JSON');
  if (endpoint === 'prices') return answerPrices(aggregator, body);
  return answerBuild(aggregator, body, fault?.kind === 'hostile' ? fault.deed : undefined);
}
