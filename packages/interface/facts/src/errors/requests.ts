import type { ErrorEntries } from './entry.js';

/** Errors of any request, regardless of the route. */
export const REQUEST_ERRORS = {
  INVALID_JSON: {
    kind: 'invalid',
    meaning: 'The body is not JSON.',
    remedy: 'Send a JSON object.',
    retry: 'never',
  },
  UNSUPPORTED_CONTENT_TYPE: {
    kind: 'invalid',
    meaning:
      'The body is not marked as JSON, or is in a character set or compression that is not supported.',
    remedy:
      'Send `Content-Type: application/json` and UTF-8, uncompressed or with gzip, deflate or br.',
    retry: 'never',
  },
  BODY_TOO_LARGE: {
    kind: 'too_large',
    meaning: 'The body is larger than this route accepts.',
    remedy: 'Send at most `details.limitBytes`: a withdrawal has about 52 KiB.',
    retry: 'never',
  },
  INVALID_REQUEST: {
    kind: 'invalid',
    meaning:
      'Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.',
    remedy: 'See `details.issues`: each has a `path` and a `message`.',
    retry: 'never',
  },
  INVALID_FELT: {
    kind: 'invalid',
    meaning:
      'A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.',
    remedy: 'Correct the text at `details.path`.',
    retry: 'never',
  },
  RATE_LIMITED: {
    kind: 'rate_limited',
    meaning: 'Your address has used up its requests of this minute.',
    remedy: 'Try again after `Retry-After`.',
    retry: 'same',
    tellsWhen: true,
  },
  TOO_MANY_IN_FLIGHT: {
    kind: 'rate_limited',
    meaning: 'The number of requests from your address in progress has reached its limit.',
    remedy:
      'Wait until some are answered, or send `Prefer: respond-async` and poll the submission later.',
    retry: 'same',
    tellsWhen: true,
  },
  OVERLOADED: {
    kind: 'unavailable',
    meaning: 'The service’s work in progress has reached its limit.',
    remedy: 'Send the same request again after `Retry-After`.',
    retry: 'same',
    tellsWhen: true,
  },
  PRIVATE_SWAP_DISABLED: {
    kind: 'unavailable',
    meaning: 'This relayer does not swap.',
    remedy:
      'Withdraw without a swap, or use another relayer; `GET /api/relayer/pools` shows whether a relayer swaps.',
    retry: 'never',
  },
  TASK_DISABLED: {
    kind: 'unavailable',
    meaning: 'This process does not run the task of the keeper that the request is about.',
    remedy:
      'Send the request to a process whose `KEEPER_TASKS` includes it; `GET /api/keeper/status` shows which are on.',
    retry: 'never',
  },
  CURATOR_UNAUTHORIZED: {
    kind: 'unauthorized',
    meaning: 'The request carries no token that may do this.',
    remedy:
      'Send `Authorization: Bearer` and a token that the operator of this service has given you.',
    retry: 'never',
  },
  CURATOR_DISABLED: {
    kind: 'unavailable',
    meaning: 'This service deploys no idle funds of vaults: no token for curators is configured.',
    remedy:
      'Use another service, or configure this one with CURATOR_ACCOUNT and CURATOR_API_TOKENS.',
    retry: 'never',
  },
  OPERATOR_UNAUTHORIZED: {
    kind: 'unauthorized',
    meaning: 'The request carries no token that may do this.',
    remedy: 'Send `Authorization: Bearer` and one of the tokens in OPERATOR_API_TOKENS.',
    retry: 'never',
  },
  OPERATOR_DISABLED: {
    kind: 'unavailable',
    meaning: 'This service has no routes for its operator: no token for operators is configured.',
    remedy: 'Configure OPERATOR_API_TOKENS.',
    retry: 'never',
  },
  INTERNAL: {
    kind: 'internal',
    meaning: 'A defect of the service.',
    remedy: 'Report it with the `requestId`.',
    retry: 'never',
  },
  ROUTE_NOT_FOUND: {
    kind: 'not_found',
    meaning: 'There is no such path.',
    remedy: 'See `GET /openapi.json`.',
    retry: 'never',
  },
  METHOD_NOT_ALLOWED: {
    kind: 'not_allowed',
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use a method that the `Allow` header names.',
    retry: 'never',
  },
} as const satisfies ErrorEntries;

/** Errors that occur before a request is complete. */
export const CONNECTION_ERRORS = {
  MALFORMED_HTTP: {
    kind: 'invalid',
    meaning: 'The bytes that came over the connection are no HTTP/1.1 request.',
    remedy: 'Use an HTTP client.',
    retry: 'never',
  },
  REQUEST_TIMED_OUT: {
    kind: 'request_timeout',
    meaning: 'The request did not arrive completely in time; nothing was done with it.',
    remedy: 'Send it again.',
    retry: 'same',
  },
  HEADERS_TOO_LARGE: {
    kind: 'headers_too_large',
    meaning: 'Path and headers are larger than 16 KiB.',
    remedy: 'Send fewer headers, or shorter ones.',
    retry: 'never',
  },
} as const satisfies ErrorEntries;
