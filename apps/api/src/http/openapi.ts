import { buildOpenApi as buildDocument } from '@sotto/http-server';
import type { FaultEntry } from '@sotto/kernel';
import { WithdrawalInProgress } from '@sotto/relayer-core';
import type { Credential } from './credentials.js';
import type { RouteDescription } from './define-route.js';
import { BOUNDARY_FAULTS, STATUS_BY_KIND } from './errors.js';
import { ErrorBody } from './schemas.js';

const CREDENTIALS = {
  curator: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token that the operator of this service gives out.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of the operator of this service.',
  },
} as const satisfies Record<Credential, object>;

/** The OpenAPI document of these routes. */
export const buildOpenApi = (
  definitions: readonly RouteDescription[],
): ReturnType<typeof buildDocument> =>
  buildDocument(definitions, {
    info: {
      title: 'Sotto',
      version: '1.0.0',
      description: [
        'Relays withdrawals from shielded pools on Starknet, deploys their deposits in batches, and swaps privately. Returns the yields of lending pools, deploys what lies idle in vaults, and bridges to and from Starknet.',
        'Amounts in text are integers in the token’s smallest unit unless a field says otherwise. Addresses and felts are taken as hex or decimal and answered as canonical hex.',
        'Every failure has the body `Error`; its codes are listed at each status and stay as they are. Changes are additive only.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    credentials: CREDENTIALS,
    errorsOf: faultsOf,
    statusOf: (kind) => STATUS_BY_KIND[kind],
    errorBody: ErrorBody,
    headersOf: (code) =>
      code === WithdrawalInProgress.code
        ? { Location: 'The submission that has the note; only with `WITHDRAWAL_IN_PROGRESS`.' }
        : {},
  });

/** Faults that the route can answer, those of the boundary included. */
export function faultsOf({
  body,
  query,
  params,
  faults,
  limitedAs,
  credential,
}: RouteDescription): readonly FaultEntry[] {
  return [
    ...BOUNDARY_FAULTS.input,
    ...(body === undefined ? [] : BOUNDARY_FAULTS.body),
    ...(body === undefined && query === undefined && params === undefined
      ? []
      : BOUNDARY_FAULTS.felts),
    ...(limitedAs === null ? [] : BOUNDARY_FAULTS.limited),
    ...(limitedAs === 'submissions' ? BOUNDARY_FAULTS.inFlight : []),
    ...(credential === undefined ? [] : BOUNDARY_FAULTS[credential]),
    ...faults,
    ...BOUNDARY_FAULTS.always,
  ];
}
