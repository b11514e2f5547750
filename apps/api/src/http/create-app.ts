import type { RequestListener } from 'node:http';
import type { Logger } from '@sotto/kernel';
import type { Metrics } from '@sotto/telemetry';
import express, { Router, type IRouter, type RequestHandler } from 'express';
import type { CuratorTokens, OperatorTokens } from './bearer-tokens.js';
import { jsonBody } from './body-parser.js';
import type { Route } from './define-route.js';
import { documentationPage } from './documentation-page.js';
import { errorHandler } from './error-handler.js';
import { MethodNotAllowed, RouteNotFound } from './errors.js';
import { requireBearer } from './middleware/authorization.js';
import { ArrivingBodies } from './middleware/arriving-bodies.js';
import { namingCallers } from './middleware/client-key.js';
import { crossOrigin } from './middleware/cross-origin.js';
import { compose } from './middleware/in-one-layer.js';
import type { InFlight } from './middleware/in-flight.js';
import { rateLimits, type RateLimitSettings } from './middleware/rate-limits.js';
import { tagRoute, requestContext } from './middleware/request-context.js';
import { errorsOf } from './openapi.js';
import { observedRequests, requestObservation } from '../observability/observed-requests.js';
import { requestLog } from '../observability/request-log.js';
import { requestMetrics } from '../observability/request-metrics.js';
import { readyReplies } from './middleware/ready-replies.js';
import { commonHeaders } from './middleware/security-headers.js';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Proxies in front of the service that are trusted to name their caller. */
  readonly trustedProxies: number;
  /** Origins of the web pages that may read answers. */
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimitSettings;
  /** What opens the curator's routes. */
  readonly curatorTokens: CuratorTokens;
  /** What opens the operator's routes. */
  readonly operatorTokens: OperatorTokens;
  /** Counts what puts something on chain. */
  readonly inFlight: InFlight;
  /** Bounds bodies that are being read. @default as many as may be under way */
  readonly arriving?: ArrivingBodies;
  /** Aborts when requests that wait shall be answered with what is known. */
  readonly stopping: AbortSignal;
}

/**
 * Paths that a proxy may deny to the public: served in one spelling only, without a slash at the
 * end, so that no proxy rule can be bypassed.
 */
const CLOSED_PATHS = /^\/(?:api\/(?:operator|curator)|health)(?:\/|$)/;

/**
 * The HTTP interface over these routes: answers that are held are sent at once, everything else
 * goes through Express.
 */
export function createApp(options: AppOptions): RequestListener {
  const { routes, logger, metrics, trustedProxies, corsOrigins, inFlight, stopping } = options;
  const { arriving = new ArrivingBodies(inFlight.settings) } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustedProxies);
  app.enable('case sensitive routing');
  const limiters = rateLimits(options.rateLimits, () => inFlight.isBusy || arriving.isBusy);
  const callerOf = namingCallers(trustedProxies);
  const observe = requestObservation([requestMetrics(metrics, routes), requestLog(logger)]);
  const isCrossOrigin = corsOrigins.length > 0;
  app.use(compose(requestContext(callerOf, stopping), observedRequests(observe), commonHeaders));
  if (isCrossOrigin) app.use(crossOrigin(corsOrigins));
  const guards = {
    curator: requireBearer('curator', options.curatorTokens),
    operator: requireBearer('operator', options.operatorTokens),
  };
  const closed = Router({ caseSensitive: true, strict: true });
  const routerOf = (path: string): IRouter => (CLOSED_PATHS.test(path) ? closed : app);
  for (const { definition, handler } of routes) {
    const { method, path, body, limitedAs, credential, failure } = definition;
    const limiter = limitedAs === null ? [] : [limiters[limitedAs].middleware];
    const isBounded = limitedAs === 'submissions';
    const guard = credential === undefined ? [] : [guards[credential]];
    const reader =
      body === undefined ? [] : [arriving.bounded(body.limitBytes, jsonBody(body.limitBytes))];
    // A slot is taken once the body is there: one that arrives slowly holds none.
    const beforeBody = isBounded ? [inFlight.early] : [];
    const afterBody = isBounded ? [inFlight.middleware] : [];
    routerOf(path)[method](
      path,
      tagRoute(path, { ...failure, codes: errorsOf(definition) }),
      ...limiter,
      ...guard,
      ...beforeBody,
      ...reader,
      ...afterBody,
      handler,
    );
  }
  for (const path of new Set(routes.map(({ definition }) => definition.path))) {
    routerOf(path).all(path, tagRoute(path), refuseMethod(path, routes));
  }
  app.use(closed);
  app.use(documentationPage(limiters.page.middleware));
  app.use(() => {
    throw new RouteNotFound({ message: 'there is no such path' });
  });
  app.use(errorHandler(logger));
  const answerReady = readyReplies(routes, { limiters, callerOf, observe, varies: isCrossOrigin });
  return (request, response) => {
    if (!answerReady(request, response)) app(request, response);
  };
}

function refuseMethod(path: string, routes: readonly Route[]): RequestHandler {
  const methods = routes
    .filter(({ definition }) => definition.path === path)
    .map(({ definition }) => definition.method.toUpperCase());
  const allow = methods
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ');
  return (_request, response) => {
    response.set('Allow', allow);
    throw new MethodNotAllowed({
      message: 'this path does not answer this method',
      details: { allow },
    });
  };
}
