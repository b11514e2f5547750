import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

/** `Bearer` in any case, and a token as defined by RFC 6750. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** Token and the name of its holder. */
export interface NamedToken {
  readonly name: string;
  readonly token: { readonly reveal: () => string };
}

/** Tokens that open a route, each with the name of its holder. */
export class BearerTokens {
  readonly #digests: readonly { readonly name: string; readonly digest: Buffer }[];

  constructor(tokens: readonly NamedToken[]) {
    this.#digests = tokens.map(({ name, token }) => ({ name, digest: digestOf(token.reveal()) }));
  }

  /** True if there are no tokens. */
  get isEmpty(): boolean {
    return this.#digests.length === 0;
  }

  /**
   * Returns the name of the holder whose token is in an Authorization header; null if there is
   * none. The time does not depend on the tokens: digests of equal length are compared completely,
   * and all of them are compared even after a match.
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

/** Errors for a request without a valid token. */
export interface BearerErrors {
  /** Error if no tokens are configured. */
  readonly disabled: () => Error;
  readonly unauthorized: () => Error;
}

/**
 * Admits a request with one of the tokens, and stores the name of its holder for the log. Runs
 * before the body is read.
 * @param realm realm as defined by RFC 6750
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
      // RFC 6750, 3.1: the error is included only if the caller sent credentials.
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
