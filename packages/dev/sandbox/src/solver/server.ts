import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { z } from 'zod';
import { misbehave } from '../http/faults.js';
import {
  httpServerOf,
  readBody,
  send,
  sendJson,
  sendText,
  singleHeaders,
  type Answer,
} from '../http/server.js';
import { parseJson } from '../json.js';
import { SolverAction, performSolverAction } from './actions.js';
import type { SolverEndpoint, SolverFault } from './faults.js';
import {
  answerOneClickQuote,
  answerOneClickStatus,
  answerTokens,
  refuseOneClick,
} from './one-click-endpoints.js';
import type { Solver, SolverRequest } from './solver.js';
import { answerSpecQuote, answerSpecStatus, refuseSpec } from './spec-endpoints.js';

/** Paths of the two wire formats and the control interface below the solver's origin. */
export const SOLVER_PATHS = { spec: '/bridge', oneClick: '/1click', control: '/control' } as const;

const ROUTES: Readonly<Record<string, readonly [SolverRequest['shape'], SolverEndpoint]>> = {
  [`POST ${SOLVER_PATHS.spec}/quote`]: ['spec', 'quote'],
  [`GET ${SOLVER_PATHS.spec}/status`]: ['spec', 'status'],
  [`GET ${SOLVER_PATHS.oneClick}/v0/tokens`]: ['1click', 'tokens'],
  [`POST ${SOLVER_PATHS.oneClick}/v0/quote`]: ['1click', 'quote'],
  [`GET ${SOLVER_PATHS.oneClick}/v0/status`]: ['1click', 'status'],
};

/**
 * Creates the solver's HTTP server. The two wire formats and the control interface have one origin.
 */
export function createSolverServer(solver: Solver): Server {
  return httpServerOf((request, response) => handle(solver, request, response));
}

async function handle(
  solver: Solver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://solver');
  const body = await readBody(request);
  if (body === undefined) {
    response.setHeader('Connection', 'close');
    sendText(response, 413, 'Payload too large');
    return;
  }
  const place = `${request.method} ${url.pathname}`;
  if (place === `POST ${SOLVER_PATHS.control}`) {
    answerControl(solver, response, body);
    return;
  }
  const route = ROUTES[place];
  if (route === undefined) {
    sendText(response, 404, 'Not found');
    return;
  }
  const [shape, endpoint] = route;
  solver.record({
    shape,
    endpoint,
    headers: singleHeaders(request),
    text: request.method === 'GET' ? url.search : body,
  });
  const fault = solver.faults.take(
    (order) => order.endpoint === '*' || order.endpoint === endpoint,
  )?.fault;
  await reply(response, shape, fault, () =>
    answerOf(solver, route, url.searchParams, parseJson(body), fault),
  );
}

async function reply(
  response: ServerResponse,
  shape: SolverRequest['shape'],
  fault: SolverFault | undefined,
  answer: () => Answer,
): Promise<void> {
  if (fault?.kind === 'refuse')
    sendJson(
      response,
      (shape === 'spec' ? refuseSpec : refuseOneClick)(fault.status, fault.message),
    );
  else if (fault === undefined || fault.kind === 'word') sendJson(response, answer());
  else await misbehave(response, fault, answer);
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
      return shape === 'spec'
        ? answerSpecStatus(solver, query, word)
        : answerOneClickStatus(solver, query, word);
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
    const text = JSON.stringify({ result }, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    send(response, 200, 'application/json; charset=utf-8', text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    sendJson(response, { status: 400, body: { error: error.message } });
  }
}
