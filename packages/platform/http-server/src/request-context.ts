import { randomUUID } from 'node:crypto';
import { context, isSpanContextValid, trace } from '@opentelemetry/api';
import type { Caller, DomainError, LogFields } from '@sotto/kernel';
import type { RequestHandler, Response } from 'express';
import type { NamesCaller } from './callers.js';
import { SECURITY_HEADERS } from './headers.js';
import type { Observe } from './observed-requests.js';
import type { RenderFailure, RenderedFailure } from './route.js';

/**
 * Creates a request id, which is returned in `X-Request-Id`. An id from the caller is not used,
 * because the log would then contain text of the caller.
 */
export const newRequestId = (): string => randomUUID();

export interface RequestBeginning {
  readonly callerOf: NamesCaller;
  /** Aborts when waiting requests must respond. */
  readonly stopping: AbortSignal;
  /** Aborts when requests that only wait for a change must respond. */
  readonly closing: AbortSignal;
  readonly observe: Observe;
}

/**
 * Creates the first middleware of every request. The middleware stores the request's id, its caller
 * and the stop signal for later handlers, begins the span and the log line, and sets response
 * headers that a route can replace. All this is one middleware, because a separate middleware costs
 * the router more time than this function.
 */
export function beginRequest(beginning: RequestBeginning): RequestHandler {
  const { stopping, closing, observe } = beginning;
  return (request, response, next) => {
    const requestId = newRequestId();
    response.locals['requestId'] = requestId;
    response.locals['caller'] = beginning.callerOf(request);
    response.locals['stopping'] = stopping;
    response.locals['closing'] = closing;
    const span = observe(request, response, response.locals);
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Request-Id', requestId);
    // If the service has no tracer, there is no span for later handlers.
    if (isSpanContextValid(span.spanContext()))
      context.with(trace.setSpan(context.active(), span), next);
    else next();
  };
}

/**
 * Additional fields of every error response of a route, and the error codes that the route
 * declares.
 */
export interface RouteFailures {
  readonly fields?: Readonly<Record<string, string | number>> | undefined;
  /** Codes of the errors that the route declares. Undefined if the codes are unknown. */
  readonly codes: readonly string[] | undefined;
  /** @default the usual body and the status of the error's kind */
  readonly render?: RenderFailure | undefined;
}

/**
 * Creates middleware that stores the route's properties. The log and the error handler need these
 * properties, whichever handler fails.
 * @param pattern pattern of the path
 */
export function tagRoute(pattern: string, failures?: RouteFailures): RequestHandler {
  const codes = failures?.codes === undefined ? undefined : new Set(failures.codes);
  return (_request, response, next) => {
    response.locals['route'] = pattern;
    response.locals['failureFields'] = failures?.fields;
    response.locals['failureCodes'] = codes;
    response.locals['renderFailure'] = failures?.render;
    next();
  };
}

/** Returns false if the request's route declares its errors and this code is not among them. */
export function isDeclared(response: Response, code: string): boolean {
  const { failureCodes } = response.locals;
  return !(failureCodes instanceof Set) || failureCodes.has(code);
}

export function failureFieldsOf(response: Response): object {
  const { failureFields } = response.locals;
  return typeof failureFields === 'object' && failureFields !== null ? failureFields : {};
}

/** Returns the error response of a route with its own rendering. Null if the usual one applies. */
export function renderedFailure(response: Response, failure: DomainError): RenderedFailure | null {
  const { renderFailure } = response.locals;
  return isRenderFailure(renderFailure) ? renderFailure(failure, response) : null;
}

const isRenderFailure = (value: unknown): value is RenderFailure => typeof value === 'function';

export function requestIdOf(response: Response): string {
  return String(response.locals['requestId']);
}

/** Adds fields to the log line of the request. */
export function noteFields(response: Response, fields: LogFields): void {
  response.locals['noted'] = { ...response.locals['noted'], ...fields };
}

/** Marks the request as counted by a rate limit, or as exempt from rate limits. */
export function markCounted(response: Response): void {
  response.locals['isCounted'] = true;
}

export function isCounted(response: Response): boolean {
  return response.locals['isCounted'] === true;
}

/** Returns the identity by which the request's caller is counted. */
export function callerOf(response: Response): Caller {
  const { caller } = response.locals;
  if (!isCaller(caller)) throw new Error('the request has no context');
  return caller;
}

const isCaller = (value: unknown): value is Caller =>
  typeof value === 'object' && value !== null && 'networks' in value;

/**
 * Returns the name of the holder of the request's API token. Null on routes that require no token.
 */
export function holderOf(response: Response): string | null {
  const { holder } = response.locals;
  return typeof holder === 'string' ? holder : null;
}

/** Returns the signal of {@link RequestBeginning} with this name. */
export function signalOf(response: Response, name: 'stopping' | 'closing'): AbortSignal {
  const signal: unknown = response.locals[name];
  if (!(signal instanceof AbortSignal)) throw new Error('the request has no context');
  return signal;
}
