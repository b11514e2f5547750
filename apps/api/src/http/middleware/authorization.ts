import type { DomainError } from '@sotto/kernel';
import type { RequestHandler } from 'express';
import type { BearerTokens } from '../bearer-tokens.js';
import {
  CuratorDisabled,
  CuratorUnauthorized,
  OperatorDisabled,
  OperatorUnauthorized,
} from '../service-errors.js';

/** Whose token a route asks for. */
export type Credential = 'curator' | 'operator';

const ERRORS = {
  curator: { disabled: CuratorDisabled, unauthorized: CuratorUnauthorized },
  operator: { disabled: OperatorDisabled, unauthorized: OperatorUnauthorized },
} as const satisfies Record<Credential, Record<string, new () => DomainError>>;

/**
 * Lets a request pass that carries one of the tokens, and leaves the name of its holder for the
 * log. Runs before the body is read.
 * @returns middleware that fails with the credential's `…Disabled` when there are no tokens, and
 *   with its `…Unauthorized` without one of them
 */
export function requireBearer(credential: Credential, tokens: BearerTokens): RequestHandler {
  const { disabled: Disabled, unauthorized: Unauthorized } = ERRORS[credential];
  return ({ headers: { authorization } }, response, next) => {
    if (tokens.isEmpty) throw new Disabled();
    const holder = authorization === undefined ? null : tokens.holderOf(authorization);
    if (holder === null) {
      // RFC 6750, 3.1: what is wrong is said only to those who showed something.
      response.set(
        'WWW-Authenticate',
        `Bearer realm="${credential}"${authorization === undefined ? '' : ', error="invalid_token"'}`,
      );
      throw new Unauthorized();
    }
    response.locals['holder'] = holder;
    next();
  };
}
