import { BearerTokens, requireBearer } from '@sotto/http-server';
import type { Credential } from '@sotto/routes';
import type { RequestHandler } from 'express';
import {
  CuratorDisabled,
  CuratorUnauthorized,
  OperatorDisabled,
  OperatorUnauthorized,
} from './errors.js';

/** Tokens accepted on the curator's routes. */
export class CuratorTokens extends BearerTokens {
  readonly credential = 'curator' as const;
}

/** Tokens accepted on the operator's routes. */
export class OperatorTokens extends BearerTokens {
  readonly credential = 'operator' as const;
}

/** Middleware for each credential, which rejects callers without it. */
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
