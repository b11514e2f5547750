import type * as z from 'zod';

/** Makes the errors that the server itself answers with, in the codes of the service. */
export interface ServerErrors {
  /** A part of the request (`body`, `query`, `path`, `headers`) does not match its schema. */
  readonly invalidPart: (error: z.ZodError, part: string) => Error;
  /** The body ended before its announced length, or is longer. */
  readonly incompleteBody: () => Error;
  readonly invalidJson: (message: string) => Error;
  readonly unsupportedContentType: (message: string) => Error;
  readonly bodyTooLarge: (limitBytes: number) => Error;
  /** The caller has used up its budget of the minute. */
  readonly rateLimited: (retryAfterSeconds: number) => Error;
  /** As many requests of the caller are under way as may. */
  readonly tooManyInFlight: (retryAfterSeconds: number) => Error;
  /** As many requests are under way in all as may. */
  readonly overloaded: (retryAfterSeconds: number) => Error;
  readonly routeNotFound: () => Error;
  /** @param allow the methods of the path, as of the `Allow` header */
  readonly methodNotAllowed: (allow: string) => Error;
}
