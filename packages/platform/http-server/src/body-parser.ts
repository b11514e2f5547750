import express, { type RequestHandler } from 'express';
import * as z from 'zod';
import { BodyTooLarge, InvalidJson, InvalidRequest, UnsupportedContentType } from './errors.js';

/** What express' parser throws, as far as it matters here. */
const ParserError = z.object({ type: z.string() });

/**
 * Reads the JSON body of routes that have one, up to so many bytes once decompressed, and fails
 * with the error of the catalogue that says what is wrong with it.
 */
export function jsonBody(limitBytes: number): RequestHandler {
  const parseJson = express.json({ limit: limitBytes, type: 'application/json' });
  return (request, response, next) => {
    if (request.is('application/json') === false) {
      next(new UnsupportedContentType({ message: 'send the body as application/json' }));
      return;
    }
    parseJson(request, response, (error?: unknown) => {
      next(error === undefined ? undefined : errorOf(error, limitBytes));
    });
  };
}

function errorOf(error: unknown, limitBytes: number): unknown {
  const parsed = ParserError.safeParse(error);
  // The parser's own messages quote the body, so none of them goes on, not even as a cause.
  switch (parsed.data?.type) {
    case 'entity.too.large':
      return new BodyTooLarge({
        message: 'the body is larger than this route takes',
        details: { limitBytes },
      });
    case 'entity.parse.failed':
      return new InvalidJson({ message: 'the body is not JSON' });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new UnsupportedContentType({
        message: 'send the body in UTF-8, uncompressed or with gzip, deflate or br',
      });
    case 'request.aborted':
    case 'request.size.invalid':
      return new InvalidRequest([{ path: 'body', message: 'the body ended early' }]);
    case undefined:
    default:
      return isHttpError(error) ? new InvalidJson({ message: 'the body cannot be read' }) : error;
  }
}

/** What a decompressor reports, for one: a client's mistake with a status but without a type. */
function isHttpError(error: unknown): boolean {
  return z.object({ status: z.int().min(400).max(499) }).safeParse(error).success;
}
