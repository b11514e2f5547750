import { randomUUID } from 'node:crypto';
import { context, isSpanContextValid, trace } from '@opentelemetry/api';
import type { Caller, LogFields } from '@sotto/kernel';
import type { RequestHandler, Response } from 'express';
import type { NamesCaller } from './callers.js';
import { SECURITY_HEADERS } from './headers.js';
import type { Observe } from './observed-requests.js';

/**
 * Creates the id returned in `X-Request-Id`. An id sent by the caller is not used, because it would
 * put text of the caller into the log.
 */
export const newRequestId = (): string => randomUUID();

export interface RequestBeginning {
  readonly callerOf: NamesCaller;
  /** Aborts when waiting requests must end. */
  readonly stopping: AbortSignal;
  readonly observe: Observe;
}

/**
 * Begins every request: stores its id, its caller and the stop signal for later handlers, starts
 * its span and log line, and sets the headers of every reply unless a route replaces them. One
 * layer, because the router's work for a layer costs more than this function.
 */
export function beginRequest(beginning: RequestBeginning): RequestHandler {
  const { stopping, observe } = beginning;
  return (request, response, next) => {
    const requestId = newRequestId();
    response.locals['requestId'] = requestId;
    response.locals['caller'] = beginning.callerOf(request);
    response.locals['stopping'] = stopping;
    const span = observe(request, response, response.locals);
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Request-Id', requestId);
    // A service without a tracer has no span for later handlers.
    if (isSpanContextValid(span.spanContext()))
      context.with(trace.setSpan(context.active(), span), next);
    else next();
  };
}

/** Additional fields of every failure of a route, and the codes that it may have. */
export interface RouteFailures {
  readonly fields?: Readonly<Record<string, string | number>> | undefined;
  /** Codes of the errors that the route declares; undefined if they are not known. */
  readonly codes: readonly string[] | undefined;
}

/**
 * Stores the route's properties that log and error handler need, whichever handler fails.
 * @param pattern pattern of the path
 */
export function tagRoute(pattern: string, failures?: RouteFailures): RequestHandler {
  const codes = failures?.codes === undefined ? undefined : new Set(failures.codes);
  return (_request, response, next) => {
    response.locals['route'] = pattern;
    response.locals['failureFields'] = failures?.fields;
    response.locals['failureCodes'] = codes;
    next();
  };
}

/** True unless the request's route declares its errors and this code is not among them. */
export function isDeclared(response: Response, code: string): boolean {
  const { failureCodes } = response.locals;
  return !(failureCodes instanceof Set) || failureCodes.has(code);
}

export function failureFieldsOf(response: Response): object {
  const { failureFields } = response.locals;
  return typeof failureFields === 'object' && failureFields !== null ? failureFields : {};
}

export function requestIdOf(response: Response): string {
  return String(response.locals['requestId']);
}

/** Adds fields to the request's line in the log. */
export function noteFields(response: Response, fields: LogFields): void {
  response.locals['noted'] = { ...response.locals['noted'], ...fields };
}

/** Records that a limit has counted the request, or that none applies. */
export function markCounted(response: Response): void {
  response.locals['isCounted'] = true;
}

export function isCounted(response: Response): boolean {
  return response.locals['isCounted'] === true;
}

/** Returns the caller of the request, as it is counted. */
export function callerOf(response: Response): Caller {
  const { caller } = response.locals;
  if (!isCaller(caller)) throw new Error('the request has no context');
  return caller;
}

const isCaller = (value: unknown): value is Caller =>
  typeof value === 'object' && value !== null && 'networks' in value;

/** Returns the name of the token that the request carried; null on routes that require none. */
export function holderOf(response: Response): string | null {
  const { holder } = response.locals;
  return typeof holder === 'string' ? holder : null;
}

export function stoppingOf(response: Response): AbortSignal {
  const { stopping } = response.locals;
  if (!(stopping instanceof AbortSignal)) throw new Error('the request has no context');
  return stopping;
}
