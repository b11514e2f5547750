import { createHash, timingSafeEqual } from 'node:crypto';
import type { NamedToken } from '@sotto/settings';

/** `Bearer` in any case, and a token as RFC 6750 has them. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

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

/** Tokens that open the curator's routes. */
export class CuratorTokens extends BearerTokens {
  readonly credential = 'curator' as const;
}

/** Tokens that open the operator's routes. */
export class OperatorTokens extends BearerTokens {
  readonly credential = 'operator' as const;
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
