import { randomUUID } from 'node:crypto';
import type { Caller } from '@sotto/kernel';
import type { RequestHandler, Response } from 'express';
import type { NamesCaller } from './callers.js';

/**
 * Returned in `X-Request-Id`. One that the caller sends is not used: it would be text of the
 * caller's in the log.
 */
export const newRequestId = (): string => randomUUID();

/**
 * Gives each request what its handlers share: an id of our own making, by what its caller is
 * counted, and the signal that ends waiting.
 */
export function requestContext(
  callerOfRequest: NamesCaller,
  stopping: AbortSignal,
): RequestHandler {
  return (request, response, next) => {
    response.locals['requestId'] = newRequestId();
    response.locals['caller'] = callerOfRequest(request);
    response.locals['stopping'] = stopping;
    next();
  };
}

/**
 * Leaves what log and error handler must know of the route, whatever fails in it.
 * @param pattern of the path
 * @param failureFields what every failure of the route carries besides the usual body
 */
export function tagRoute(
  pattern: string,
  failureFields: Readonly<Record<string, string | number>> = {},
): RequestHandler {
  return (_request, response, next) => {
    response.locals['route'] = pattern;
    response.locals['failureFields'] = failureFields;
    next();
  };
}

export function failureFieldsOf(response: Response): object {
  const { failureFields } = response.locals;
  return typeof failureFields === 'object' && failureFields !== null ? failureFields : {};
}

export function requestIdOf(response: Response): string {
  return String(response.locals['requestId']);
}

/** By what its caller is counted. */
export function callerOf(response: Response): Caller {
  const { caller } = response.locals;
  if (!isCaller(caller)) throw new Error('the request has no context');
  return caller;
}

const isCaller = (value: unknown): value is Caller =>
  typeof value === 'object' && value !== null && 'networks' in value;

export function stoppingOf(response: Response): AbortSignal {
  const { stopping } = response.locals;
  if (!(stopping instanceof AbortSignal)) throw new Error('the request has no context');
  return stopping;
}
