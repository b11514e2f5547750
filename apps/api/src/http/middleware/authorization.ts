import type { RequestHandler } from 'express';
import type { BearerTokens } from '../bearer-tokens.js';
import { CuratorDisabled, CuratorUnauthorized } from '../service-faults.js';

/** Whose token a route asks for. */
export type Credential = 'curator';

/**
 * Lets a request pass that carries one of the tokens, and leaves the name of its holder for the log. Runs before the body is read.
 * @returns middleware that fails with `CuratorDisabled` when there are no tokens, and with `CuratorUnauthorized` without one of them
 */
export function curatorOnly(tokens: BearerTokens): RequestHandler {
  return ({ headers: { authorization } }, response, next) => {
    if (tokens.isEmpty) throw new CuratorDisabled();
    const holder = authorization === undefined ? null : tokens.holderOf(authorization);
    if (holder === null) {
      // RFC 6750, 3.1: what is wrong is said only to those who showed something.
      response.set('WWW-Authenticate', `Bearer realm="curator"${authorization === undefined ? '' : ', error="invalid_token"'}`);
      throw new CuratorUnauthorized();
    }
    response.locals['holder'] = holder;
    next();
  };
}
