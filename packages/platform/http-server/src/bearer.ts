import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Matches `Bearer` in any case, and a token in the syntax of RFC 6750. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** An API token and the name of its holder. */
export interface NamedToken {
  readonly name: string;
  readonly token: { readonly reveal: () => string };
}

/** API tokens that a route accepts, each with the name of its holder. */
export class BearerTokens {
  readonly #digests: readonly { readonly name: string; readonly digest: Buffer }[];

  constructor(tokens: readonly NamedToken[]) {
    this.#digests = tokens.map(({ name, token }) => ({ name, digest: digestOf(token.reveal()) }));
  }

  /** True if no API tokens are configured. */
  get isEmpty(): boolean {
    return this.#digests.length === 0;
  }

  /**
   * Returns the name of the holder whose API token is in an Authorization header. Null if the token
   * is unknown. The duration of the call does not depend on the tokens. All digests have equal
   * length and are compared completely, and the comparison continues after a match.
   */
  holderOf(authorization: string): string | null {
    const [, token] = BEARER.exec(authorization) ?? [];
    if (token === undefined) return null;
    const digest = digestOf(token);
    return this.#digests.reduce<string | null>(
      (holder, known) => (timingSafeEqual(known.digest, digest) ? known.name : holder),
      null,
    );
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Errors for a request without a valid API token. */
export interface BearerErrors {
  /** Creates the error for a route whose API tokens are not configured. */
  readonly disabled: () => Error;
  readonly unauthorized: () => Error;
}

/**
 * Creates middleware that accepts a request with one of the API tokens, and stores the name of the
 * token's holder for the log. The middleware runs before the body is read.
 * @param realm realm of the challenge, as defined by RFC 6750
 */
export function requireBearer(
  realm: string,
  tokens: BearerTokens,
  { disabled, unauthorized }: BearerErrors,
): RequestHandler {
  return ({ headers: { authorization } }, response, next) => {
    if (tokens.isEmpty) throw disabled();
    const holder = authorization === undefined ? null : tokens.holderOf(authorization);
    if (holder === null) {
      // RFC 6750, 3.1: the challenge contains an error only if the caller sent credentials.
      response.set(
        'WWW-Authenticate',
        `Bearer realm="${realm}"${authorization === undefined ? '' : ', error="invalid_token"'}`,
      );
      throw unauthorized();
    }
    response.locals['holder'] = holder;
    next();
  };
}
