import { STATUS_BY_KIND, retryOf } from '@sotto/facts';
import { DomainError, type Logger } from '@sotto/kernel';
import type { ErrorRequestHandler, Response } from 'express';
import { InternalError, InvalidRequest } from './errors.js';
import { LinesPerSecond, type AfterSecond } from './lines-per-second.js';
import { failureFieldsOf, isDeclared, requestIdOf } from './request-context.js';

/** Headers of the answer to a failure, besides `Retry-After`. */
export type HeadersOf = (failure: DomainError) => Readonly<Record<string, string>>;

/** Logged for an error that the route's use case does not name; test suites fail where it is. */
const UNDECLARED = 'the route does not declare this error';

/** Where a page says what a code means. */
export type DocsOf = (code: string) => string;

/**
 * The only place where a failure becomes a status and a body. Registered last. Warnings of requests
 * that were not served have ten lines a second, and one line counts the others: while no node
 * answers, strangers cause as many as they like.
 */
export function errorHandler(
  logger: Logger,
  headersOf: HeadersOf,
  docsOf?: DocsOf,
  wait?: AfterSecond,
): ErrorRequestHandler {
  const warnings = new LinesPerSecond(
    (counts) => logger.warn(counts, 'requests not served without a line'),
    wait,
  );
  return (error: unknown, _request, response, _next) => {
    const requestId = requestIdOf(response);
    const failure = knownError(error);
    if (failure === null)
      logger.error({ requestId, error: asError(error) }, 'request failed unexpectedly');
    else if (STATUS_BY_KIND[failure.kind] >= 500 && warnings.mayLog(failure.code))
      logger.warn({ requestId, error: failure }, 'request not served');
    if (failure !== null && !isDeclared(response, failure.code))
      logger.error({ requestId, code: failure.code }, UNDECLARED);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const answered = failure ?? new InternalError({ message: 'internal error' });
    response.set(headersOf(answered));
    send(response, answered, docsOf);
  };
}

function send(response: Response, failure: DomainError, docsOf?: DocsOf): void {
  const { code, kind, message, retryAfterSeconds } = failure;
  const details = failure instanceof InvalidRequest ? { issues: failure.issues } : failure.details;
  if (retryAfterSeconds !== undefined)
    response.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
  const body = {
    error: message,
    code,
    retry: retryOf(code),
    requestId: requestIdOf(response),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    ...(docsOf === undefined ? {} : { docs: docsOf(code) }),
  };
  response.locals['code'] = code;
  response.status(STATUS_BY_KIND[kind]).json({ ...body, ...failureFieldsOf(response) });
}

/** Null for bugs: errors of kind `internal` are among them. */
function knownError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error.kind === 'internal' ? null : error;
  // The router's answer to a path with broken percent-encoding.
  if (error instanceof URIError)
    return new InvalidRequest([{ path: 'path', message: 'is not a valid URL path' }]);
  return null;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
}
