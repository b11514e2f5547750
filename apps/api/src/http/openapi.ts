import { ERRORS, codesOf as codesIn, type ErrorCode, type ErrorEntry } from '@sotto/facts';
import { buildOpenApi as buildDocument } from '@sotto/http-server';
import { WithdrawalInProgress } from '@sotto/relayer-core';
import {
  ErrorBody,
  ROUTES,
  TAGS,
  codesOf,
  type Credential,
  type RouteDefinition,
} from '@sotto/routes';

/** Entry of the error catalogue, with its error code. */
export interface DocumentedError extends ErrorEntry {
  readonly code: ErrorCode;
}

const CREDENTIALS = {
  curator: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token that the operator of this service issues.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of the operator of this service.',
  },
} as const satisfies Record<Credential, object>;

/** Builds the OpenAPI document of the given routes. */
export const buildOpenApi = (
  definitions: readonly RouteDefinition[],
): ReturnType<typeof buildDocument> =>
  buildDocument(definitions, {
    info: {
      title: 'Sotto',
      version: '1.0.0',
      description: [
        'Relays withdrawals from shielded pools on Starknet, deploys their deposits in batches, and swaps privately. Returns the yields of lending pools, deploys the idle funds of vaults, and bridges to and from Starknet.',
        'Amounts in text are integers in the token’s smallest unit unless the field’s description differs. Addresses and felts are accepted as hex or decimal and returned as canonical hex.',
        'Every failure has the body `Error`. Its codes are listed at each status and do not change. `docs` links to the meaning of each code. `x-retry` states how a client should treat the request, in the terms of docs/reference/errors.md. Changes are additive only.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: TAGS,
    credentials: CREDENTIALS,
    errorsOf,
    errorBody: ErrorBody,
    headersOf: (code) =>
      code === WithdrawalInProgress.code
        ? { Location: 'The submission that has the note; only with `WITHDRAWAL_IN_PROGRESS`.' }
        : {},
  });

let document: Readonly<Record<string, unknown>> | undefined;

/**
 * Returns the OpenAPI document that the service serves. The document is built on the first call.
 */
export const openApiDocument = (): Readonly<Record<string, unknown>> =>
  (document ??= { ...buildOpenApi(ROUTES) });

/** Returns the errors that the route can return, including errors of the HTTP boundary. */
export const errorsOf = (definition: RouteDefinition): readonly DocumentedError[] =>
  codesOf(definition).map((code) => ({ code, ...ERRORS[code] }));

/** Returns all errors of the catalogue. */
export const documentedErrors = (): readonly DocumentedError[] =>
  codesIn(ERRORS).map((code) => ({ code, ...ERRORS[code] }));
