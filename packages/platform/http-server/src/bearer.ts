import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

/** `Bearer` in any case, and a token as RFC 6750 has them. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** A token and the name of its holder. */
export interface NamedToken {
  readonly name: string;
  readonly token: { readonly reveal: () => string };
}

/** The tokens that open a route, each with the name of its holder. */
export class BearerTokens {
  readonly #digests: readonly { readonly name: string; readonly digest: Buffer }[];

  constructor(tokens: readonly NamedToken[]) {
    this.#digests = tokens.map(({ name, token }) => ({ name, digest: digestOf(token.reveal()) }));
  }

  /** There are no tokens. */
  get isEmpty(): boolean {
    return this.#digests.length === 0;
  }

  /**
   * Name of the holder whose token stands in an Authorization header; null when none does. How long
   * that takes says nothing of the tokens: digests of one length are compared, each to its end, and
   * all of them whichever matches.
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

/** What a request without the right token is refused with. */
export interface BearerErrors {
  /** There are no tokens. */
  readonly disabled: () => Error;
  readonly unauthorized: () => Error;
}

/**
 * Lets a request pass that carries one of the tokens, and leaves the name of its holder for the
 * log. Runs before the body is read.
 * @param realm as of RFC 6750
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
      // RFC 6750, 3.1: what is wrong is said only to those who showed something.
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
