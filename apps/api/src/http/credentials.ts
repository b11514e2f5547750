import { BearerTokens, requireBearer } from '@sotto/http-server';
import type { Credential } from '@sotto/routes';
import type { RequestHandler } from 'express';
import {
  CuratorDisabled,
  CuratorUnauthorized,
  OperatorDisabled,
  OperatorUnauthorized,
} from './errors.js';

/** API tokens that the curator's routes accept. */
export class CuratorTokens extends BearerTokens {
  readonly credential = 'curator' as const;
}

/** API tokens that the operator's routes accept. */
export class OperatorTokens extends BearerTokens {
  readonly credential = 'operator' as const;
}

/**
 * Returns the middleware for each credential. The middleware rejects requests without a valid
 * token.
 */
export const guardsOf = (
  curator: CuratorTokens,
  operator: OperatorTokens,
): Readonly<Record<Credential, RequestHandler>> => ({
  curator: requireBearer('curator', curator, {
    disabled: () => new CuratorDisabled(),
    unauthorized: () => new CuratorUnauthorized(),
  }),
  operator: requireBearer('operator', operator, {
    disabled: () => new OperatorDisabled(),
    unauthorized: () => new OperatorUnauthorized(),
  }),
});
