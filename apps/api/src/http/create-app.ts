import type { RequestListener } from 'node:http';
import {
  createApp as createServerApp,
  type AppOptions as ServerAppOptions,
  type RateLimitSettings,
  type ServerErrors,
} from '@sotto/http-server';
import { Overloaded } from '@sotto/relayer-core';
import { guardsOf, type CuratorTokens, type OperatorTokens } from './credentials.js';
import { ROUTES, codesOf, type LimitedGroup, type RouteDefinition } from '@sotto/routes';
import { errorHandler } from '../../../../packages/platform/http-server/src/error-handler.js';
import {
  BodyTooLarge,
  InvalidJson,
  InvalidRequest,
  MethodNotAllowed,
  RateLimited,
  RouteNotFound,
  TooManyInFlight,
  UnsupportedContentType,
} from '../../../../packages/platform/http-server/src/request-errors.js';

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
  | 'stopping'
> {
  readonly rateLimits: RateLimitSettings<LimitedGroup>;
  /** What opens the curator's routes. */
  readonly curatorTokens: CuratorTokens;
  /** What opens the operator's routes. */
  readonly operatorTokens: OperatorTokens;
}

const CLOSED_PATHS = /^\/(?:api\/(?:operator|curator)|health)(?:\/|$)/;

const DEFINITIONS: readonly RouteDefinition[] = ROUTES;
const CODES: ReadonlyMap<string, readonly string[]> = new Map(
  DEFINITIONS.map((definition) => [definition.operationId, codesOf(definition)]),
);

const errors: ServerErrors = {
  invalidPart: (error, part) => InvalidRequest.from(error, part),
  incompleteBody: () => new InvalidRequest([{ path: 'body', message: 'the body ended early' }]),
  invalidJson: (message) => new InvalidJson({ message }),
  unsupportedContentType: (message) => new UnsupportedContentType({ message }),
  bodyTooLarge: (limitBytes) =>
    new BodyTooLarge({
      message: 'the body is larger than this route takes',
      details: { limitBytes },
    }),
  rateLimited: (retryAfterSeconds) => new RateLimited(retryAfterSeconds),
  tooManyInFlight: (retryAfterSeconds) => new TooManyInFlight(retryAfterSeconds),
  overloaded: (retryAfterSeconds) => new Overloaded({ retryAfterSeconds }),
  routeNotFound: () => new RouteNotFound({ message: 'there is no such path' }),
  methodNotAllowed: (allow) =>
    new MethodNotAllowed({
      message: 'this path does not answer this method',
      details: { allow },
    }),
};

/** The HTTP interface over these routes. */
export function createApp({
  curatorTokens,
  operatorTokens,
  ...options
}: AppOptions): RequestListener {
  return createServerApp({
    ...options,
    title: 'Sotto',
    errors,
    guards: guardsOf(curatorTokens, operatorTokens),
    closedPaths: CLOSED_PATHS,
    boundedGroup: 'submissions',
    codesOf: ({ operationId }) => CODES.get(operationId),
    onError: errorHandler(options.logger),
  });
}
