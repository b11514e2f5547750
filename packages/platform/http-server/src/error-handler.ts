import { STATUS_BY_KIND, retryOf } from '@sotto/facts';
import { DomainError, type Logger } from '@sotto/kernel';
import { retryAtOf } from './retry-at.js';
import type { ErrorRequestHandler, Response } from 'express';
import { InternalError, InvalidRequest } from './errors.js';
import { LinesPerSecond, type AfterSecond } from './lines-per-second.js';
import { failureFieldsOf, isDeclared, renderedFailure, requestIdOf } from './request-context.js';

/** Returns headers of an error response, in addition to `Retry-After`. */
export type HeadersOf = (failure: DomainError) => Readonly<Record<string, string>>;

/**
 * Log message for an error that the route's use case does not declare. Test suites fail if this
 * message is logged.
 */
const UNDECLARED = 'the route does not declare this error';

/** Returns a link to the page that explains an error code. */
export type DocsOf = (code: string) => string;

/**
 * Creates the only middleware that converts an error to a status and a body; it must be registered
 * last. At most ten warnings per second are logged for failed requests, and one additional line
 * contains the number of suppressed warnings. The limit is needed because callers can cause any
 * number of failures while no node responds.
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
  response.locals['code'] = code;
  const rendered = renderedFailure(response, failure);
  if (rendered !== null) {
    response.status(rendered.status).json(rendered.body);
    return;
  }
  const body = {
    error: message,
    code,
    retry: retryOf(code),
    requestId: requestIdOf(response),
    ...retryAtOf(failure),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    ...(docsOf === undefined ? {} : { docs: docsOf(code) }),
  };
  response.status(STATUS_BY_KIND[kind]).json({ ...body, ...failureFieldsOf(response) });
}

/** Returns the domain error. Returns null for bugs. Errors of kind `internal` are also bugs. */
function knownError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error.kind === 'internal' ? null : error;
  // The router throws this error for a path with invalid percent-encoding.
  if (error instanceof URIError)
    return new InvalidRequest([{ path: 'path', message: 'is not a valid URL path' }]);
  return null;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
}
