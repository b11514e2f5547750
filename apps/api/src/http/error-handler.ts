import { DomainError, type Logger } from '@sotto/kernel';
import type { ErrorRequestHandler, Response } from 'express';
import type { z } from 'zod';
import { INTERNAL, InvalidRequest, STATUS_BY_KIND } from './errors.js';
import { locationOf } from './location.js';
import { failureFieldsOf, requestIdOf } from './middleware/request-context.js';
import type { ErrorBody } from './schemas.js';

/** The only place where a failure becomes a status and a body. Registered last. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const requestId = requestIdOf(response);
    const failure = knownError(error);
    if (failure === null)
      logger.error({ requestId, error: asError(error) }, 'request failed unexpectedly');
    else if (STATUS_BY_KIND[failure.kind] >= 500)
      logger.warn({ requestId, error: failure }, 'request not served');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (failure === null) {
      send(response, 500, { error: 'internal error', code: INTERNAL, requestId });
      return;
    }
    const { submissionId } = failure.details;
    if (typeof submissionId === 'string') response.set('Location', locationOf(submissionId));
    if (failure.retryAfterSeconds !== undefined)
      response.set('Retry-After', String(Math.ceil(failure.retryAfterSeconds)));
    const details =
      failure instanceof InvalidRequest ? { issues: failure.issues } : failure.details;
    send(response, STATUS_BY_KIND[failure.kind], {
      error: failure.message,
      code: failure.code,
      requestId,
      ...(Object.keys(details).length === 0 ? {} : { details }),
    });
  };
}

function send(response: Response, status: number, body: z.input<typeof ErrorBody>): void {
  response.locals['code'] = body.code;
  response.status(status).json({ ...body, ...failureFieldsOf(response) });
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
