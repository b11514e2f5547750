import { randomUUID } from 'node:crypto';
import type { Caller } from '@sotto/relayer-core';
import type { RequestHandler, Response } from 'express';
import { networksOf, type ClientKey } from './client-key.js';

/** Told in `X-Request-Id`. One that the caller sends is not used: it would be text of the caller's in the log. */
export const newRequestId = (): string => randomUUID();

/** Gives each request what its handlers share: an id of our own making, by what its caller is counted, and the signal that ends waiting. */
export function requestContext(clientKey: ClientKey, stopping: AbortSignal): RequestHandler {
  return (request, response, next) => {
    response.locals['requestId'] = newRequestId();
    response.locals['client'] = clientKey(request);
    response.locals['stopping'] = stopping;
    next();
  };
}

/**
 * Leaves what log and error handler must know of the route, whatever fails in it.
 * @param pattern of the path
 * @param failureFields what every failure of the route carries besides the usual body
 */
export function onRoute(pattern: string, failureFields: Readonly<Record<string, string | number>> = {}): RequestHandler {
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
export function clientOf(response: Response): string {
  const { client } = response.locals;
  if (typeof client !== 'string') throw new Error('the request has no context');
  return client;
}

/** The caller as use cases know it. */
export function callerOf(response: Response): Caller {
  const name = clientOf(response);
  return { name, networks: networksOf(name) };
}

export function stoppingOf(response: Response): AbortSignal {
  const { stopping } = response.locals;
  if (!(stopping instanceof AbortSignal)) throw new Error('the request has no context');
  return stopping;
}
