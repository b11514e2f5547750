import type { RequestListener } from 'node:http';
import type { Metrics } from '@sotto/telemetry';
import express, { Router, type IRouter, type RequestHandler } from 'express';
import { ArrivingBodies } from './arriving-bodies.js';
import { namingCallers } from './callers.js';
import { documentationPages, notFoundPage, type Documentation } from './documentation-page.js';
import { errorHandler, type HeadersOf } from './error-handler.js';
import { errorLink } from './error-page.js';
import { MethodNotAllowed, RouteNotFound } from './errors.js';
import { crossOrigin } from './headers.js';
import type { InFlight } from './in-flight.js';
import { LargeBodies } from './large-bodies.js';
import { requestObservation } from './observed-requests.js';
import {
  countingPreflights,
  countingRefused,
  rateLimits,
  unlimited,
  type Limiter,
  type RateLimitSettings,
} from './rate-limits.js';
import { readyReplies, type ReadyRoute } from './ready-replies.js';
import { beginRequest, tagRoute } from './request-context.js';
import { requestLog } from './request-log.js';
import { requestMetrics } from './request-metrics.js';
import { isOptional, type Route, type RouteDefinition, type RouteDeps } from './route.js';
import { sitePages, type Site } from './site.js';

/** Settings of the request handling. */
interface AppSettings {
  /** Number of proxies in front of the service whose forwarded addresses are trusted. */
  readonly trustedProxies: number;
  /**
   * Origins of the web pages that may read responses; `*` means any origin. No page can read
   * responses of a route that requires a credential.
   */
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimitSettings;
}

export interface AppOptions extends RouteDeps, AppSettings {
  readonly routes: readonly Route[];
  /** @default no documentation pages, and no links to such pages in error responses */
  readonly documentation?: Documentation;
  /** Pages that are served in addition to the interface. @default none */
  readonly sites?: readonly Site[];
  /** Middleware for each kind of credential, which rejects requests without the credential. */
  readonly guards: Readonly<Record<string, RequestHandler>>;
  /**
   * Paths that a proxy may deny to the public. The app serves such a path in only one spelling,
   * without a slash at the end, so that no proxy rule can be bypassed.
   */
  readonly closedPaths: RegExp;
  /** Limiter of requests in flight, used for the routes whose group is {@link boundedGroup}. */
  readonly inFlight: InFlight;
  readonly boundedGroup: string;
  /**
   * Rate limit group of requests that are counted for no route: unknown paths and wrong methods.
   * Preflight requests of browsers have a separate limit of the same size.
   */
  readonly refusedAs: string;
  /** Limiter of the bodies that are being read. @default the limits of `inFlight` */
  readonly arriving?: ArrivingBodies;
  /** Memory budget of routes whose bodies can be large. @default 64 MiB */
  readonly largeBodies?: LargeBodies;
  /** Metrics in which requests are counted and timed. */
  readonly metrics: Metrics;
  /** Returns the codes of all errors that a route declares. Undefined if the codes are unknown. */
  readonly codesOf: (definition: RouteDefinition) => readonly string[] | undefined;
  /** Returns additional headers of an error response. */
  readonly headersOf: HeadersOf;
  /**
   * Signal that aborts when the service stops. Waiting requests must then be answered with the
   * state that is known.
   */
  readonly stopping: AbortSignal;
  /**
   * Aborts when the service accepts no more connections. @default the same signal as `stopping`
   */
  readonly closing?: AbortSignal;
}

/**
 * Maximum number of page files that one address may load per minute. A page has at most a dozen
 * files. The files are large, but need no upstream.
 */
const PAGE_FILES_PER_MINUTE = 120;

/**
 * Creates the HTTP interface for these routes. Cached responses are sent at once. All other
 * requests pass through Express.
 */
export function createApp(options: AppOptions): RequestListener {
  const { routes, guards, inFlight, boundedGroup, closedPaths, corsOrigins } = options;
  const {
    trustedProxies,
    stopping,
    closing = stopping,
    arriving = new ArrivingBodies(inFlight.settings),
    largeBodies: large = new LargeBodies(),
  } = options;
  const observe = requestObservation([
    requestMetrics(options.metrics, routes),
    requestLog(options.logger),
  ]);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustedProxies);
  app.enable('case sensitive routing');
  const isBusy = (): boolean => inFlight.isBusy || arriving.isBusy || large.isBusy;
  const limiters = rateLimits(options.rateLimits, isBusy);
  const ofRefused = budgetOf(options.refusedAs, limiters);
  const callerOf = namingCallers(trustedProxies);
  app.use(beginRequest({ callerOf, stopping, closing, observe }));
  if (corsOrigins.length > 0) {
    const answersPages = crossOrigin(corsOrigins, requestHeadersOf(routes));
    const ofPreflights = preflightLimiter(options, isBusy);
    app.use(exceptGuarded(routes, countingPreflights(ofPreflights), answersPages));
  }
  const closed = Router({ caseSensitive: true, strict: true });
  const routerOf = (path: string): IRouter => (closedPaths.test(path) ? closed : app);
  const ready: ReadyRoute[] = [];
  const admission = (
    group: string | null,
    read?: RequestHandler,
  ): readonly [RequestHandler, ...RequestHandler[]] => {
    const bounded = group === boundedGroup ? inFlight.bounded(read) : read;
    return [
      group === null ? unlimited : budgetOf(group, limiters).middleware,
      ...(bounded === undefined ? [] : [bounded]),
    ];
  };
  for (const { definition, serve, admit, renderFailure } of routes) {
    const { method, path, body, limitedAs, credential, failure } = definition;
    const tag = tagRoute(path, {
      fields: failure?.fields,
      codes: options.codesOf(definition),
      render: renderFailure,
    });
    const { handler, cache } = serve(options);
    const limiter = limitedAs === null ? null : budgetOf(limitedAs, limiters);
    const read = body === undefined ? undefined : bodyReader(body, arriving, large);
    const [counting, ...reading] = admission(limitedAs, read);
    const before = admit?.({ admission, read }) ?? [
      counting,
      ...(credential === undefined ? [] : [guardOf(credential, guards)]),
      ...reading,
    ];
    routerOf(path)[method](path, tag, ...before, handler);
    if (cache !== undefined) ready.push({ definition, limiter, cache });
  }
  for (const path of new Set(routes.map(({ definition }) => definition.path)))
    // One handler for all methods is enough; `all` of the router itself would create one handler
    // per method.
    routerOf(path).route(path).all(tagRoute(path), refuseMethod(path, routes));
  app.use(closed);
  const { documentation, sites = [] } = options;
  const pages = rateLimits(
    { perMinute: { pages: PAGE_FILES_PER_MINUTE }, maxClients: options.rateLimits.maxClients },
    isBusy,
  );
  const { middleware: pageLimiter } = budgetOf('pages', pages);
  if (documentation !== undefined) app.use(documentationPages(documentation, pageLimiter));
  for (const site of sites) app.use(sitePages(site, pageLimiter));
  app.use(() => {
    throw new RouteNotFound({ message: 'there is no such path' });
  });
  app.use(countingRefused(ofRefused));
  if (documentation !== undefined) app.use(notFoundPage(documentation));
  const docsOf = documentation === undefined ? undefined : errorLink;
  app.use(errorHandler(options.logger, options.headersOf, docsOf));
  const answerReady = readyReplies(ready, { callerOf, observe, corsOrigins });
  return (request, response) => {
    if (!answerReady(request, response)) app(request, response);
  };
}

const bodyReader = (
  { limitBytes, isLarge, schema }: NonNullable<RouteDefinition['body']>,
  arriving: ArrivingBodies,
  large: LargeBodies,
): RequestHandler => {
  const read = (isLarge === true ? large : arriving).json(limitBytes);
  if (!isOptional(schema)) return read;
  return (request, response, next) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length === '0' && encoding === undefined) next();
    else read(request, response, next);
  };
};

/**
 * Creates a separate rate limiter for preflights. Otherwise a page could send no requests if its
 * address has used up the rate limit for reads.
 */
function preflightLimiter(
  {
    refusedAs,
    rateLimits: { perMinute, maxClients },
  }: Pick<AppOptions, 'refusedAs' | 'rateLimits'>,
  isBusy: () => boolean,
): Limiter {
  const preflights = perMinute[refusedAs] ?? 0;
  return budgetOf('preflights', rateLimits({ perMinute: { preflights }, maxClients }, isBusy));
}

/** Returns the rate limiter of a group. @throws Error for a group without a limit */
function budgetOf(group: string, limiters: ReadonlyMap<string, Limiter>): Limiter {
  const limiter = limiters.get(group);
  if (limiter === undefined) throw new Error(`there is no budget of ${group}`);
  return limiter;
}

/** Returns the guard of a credential. @throws Error for a credential without a guard */
function guardOf(credential: string, guards: AppOptions['guards']): RequestHandler {
  const guard = guards[credential];
  if (guard === undefined) throw new Error(`nothing guards the routes of the ${credential}`);
  return guard;
}

/** Applies middleware to all paths, except paths of routes that require a credential. */
function exceptGuarded(routes: readonly Route[], ...middleware: RequestHandler[]): IRouter {
  const guarded = routes
    .filter(({ definition }) => definition.credential !== undefined)
    .map(({ definition }) => definition.path);
  const router = Router({ caseSensitive: true });
  router.all(guarded, (_request, _response, next) => next('router'));
  router.use(...middleware);
  return router;
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

/**
 * Returns the request headers that routes read, except those that browsers must not send for a
 * page.
 */
function requestHeadersOf(routes: readonly Route[]): readonly string[] {
  const names = routes.flatMap(({ definition: { headers } }) => Object.keys(headers?.shape ?? {}));
  return [...new Set(names)].filter((name) => name !== 'authorization');
}
