import type { RequestListener } from 'node:http';
import {
  createApp as createServerApp,
  type AppOptions as ServerAppOptions,
  type RateLimitSettings,
} from '@sotto/http-server';
import { guardsOf, type CuratorTokens, type OperatorTokens } from './credentials.js';
import { ROUTES, declaredCodesOf, type LimitedGroup, type RouteDefinition } from '@sotto/routes';
import { documentedErrors } from './openapi.js';
import { locationOf } from './routes/transactions.js';

export interface AppOptions extends Pick<
  ServerAppOptions,
  | 'routes'
  | 'clock'
  | 'logger'
  | 'metrics'
  | 'trustedProxies'
  | 'corsOrigins'
  | 'inFlight'
  | 'arriving'
  | 'largeBodies'
  | 'stopping'
  | 'closing'
  | 'sites'
> {
  readonly rateLimits: RateLimitSettings<LimitedGroup>;
  /** API tokens that the curator's routes accept. */
  readonly curatorTokens: CuratorTokens;
  /** API tokens that the operator's routes accept. */
  readonly operatorTokens: OperatorTokens;
}

const CLOSED_PATHS = /^\/(?:api\/(?:operator|curator)|health)(?:\/|$)/;

const DEFINITIONS: readonly RouteDefinition[] = ROUTES;
const CODES: ReadonlyMap<string, readonly string[]> = new Map(
  DEFINITIONS.map((definition) => [definition.operationId, declaredCodesOf(definition)]),
);

/** Creates the HTTP interface with these routes. */
export function createApp({
  curatorTokens,
  operatorTokens,
  ...options
}: AppOptions): RequestListener {
  return createServerApp({
    ...options,
    documentation: { title: 'Sotto', errors: documentedErrors() },
    guards: guardsOf(curatorTokens, operatorTokens),
    closedPaths: CLOSED_PATHS,
    boundedGroup: 'submissions',
    refusedAs: 'reads',
    codesOf: ({ operationId }) => CODES.get(operationId),
    headersOf: ({ details: { submissionId } }) =>
      typeof submissionId === 'string' ? { Location: locationOf(submissionId) } : {},
  });
}
