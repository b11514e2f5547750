import type { ErrorEntry } from '@sotto/kernel';
import { WithdrawalInProgress } from '@sotto/relayer-core';
import {
  createDocument,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import type { Examples, ReplyDefinition, RouteDescription } from './define-route.js';
import { BOUNDARY_ERRORS, STATUS_BY_KIND } from './errors.js';
import type { Credential } from './middleware/authorization.js';
import { ErrorBody } from './schemas.js';

export type OpenApiDocument = ReturnType<typeof createDocument>;

const SECURITY_SCHEMES = {
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

/**
 * The OpenAPI 3.1 document of these routes, made from the schemas that requests and replies are
 * checked with.
 */
export function buildOpenApi(routes: readonly RouteDescription[]): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const definition of routes) {
    const path = definition.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [definition.method]: operation(definition) };
  }
  return createDocument({
    openapi: '3.1.1',
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
    servers: [{ url: '/' }],
    // The relayer takes no credential: privacy is achieved by the proof. Routes that take one name
    // it.
    security: [],
    components: { securitySchemes: SECURITY_SCHEMES },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
  });
}

function operation(
  definition: RouteDescription,
): NonNullable<ZodOpenApiPathsObject[string]['get']> {
  const { operationId, summary, description, tag, body, query, params, headers, credential } =
    definition;
  const parameters = {
    ...(query === undefined ? {} : { query }),
    ...(params === undefined ? {} : { path: params }),
    ...(headers === undefined ? {} : { header: headers }),
  };
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...(credential === undefined ? {} : { security: [{ [credential]: [] }] }),
    ...(Object.keys(parameters).length === 0 ? {} : { requestParams: parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: body.schema, examples: mutable(body.examples) },
            },
          },
        }),
    responses: { ...successes(definition), ...failures(definition) },
  };
}

function successes({ replies, kept }: RouteDescription): ZodOpenApiResponsesObject {
  const documented = Object.entries(replies).map(
    ([status, { description, schema, headers, examples }]) => {
      const ofKept =
        kept === undefined || status !== '200'
          ? {}
          : {
              'Cache-Control': `\`${kept.cacheControl}\``,
              ETag: 'Of this answer, for `If-None-Match`.',
            };
      const content = {
        'application/json': {
          schema,
          ...(examples === undefined ? {} : { examples: mutable(examples) }),
        },
      };
      return [
        status,
        { description, content, ...headerObjects({ ...headers, ...ofKept }) },
      ] as const;
    },
  );
  const unchanged =
    kept === undefined
      ? []
      : [
          [
            '304',
            { description: 'The answer is still the one that `If-None-Match` names' },
          ] as const,
        ];
  return Object.fromEntries([...documented, ...unchanged]);
}

/** The document's types know no readonly. */
function mutable(examples: Examples): Record<string, { summary: string; value: unknown }> {
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [name, { ...example }]),
  );
}

function headerObjects(headers: ReplyDefinition['headers']): {
  headers?: Record<string, { description: string; schema: { type: 'string' } }>;
} {
  if (headers === undefined || Object.keys(headers).length === 0) return {};
  const entries = Object.entries(headers).map(
    ([name, description]) => [name, { description, schema: { type: 'string' } as const }] as const,
  );
  return { headers: Object.fromEntries(entries) };
}

/** Errors that the route can answer, those of the boundary included. */
export function errorsOf({
  body,
  query,
  params,
  errors,
  limitedAs,
  credential,
}: RouteDescription): readonly ErrorEntry[] {
  return [
    ...BOUNDARY_ERRORS.input,
    ...(body === undefined ? [] : BOUNDARY_ERRORS.body),
    ...(body === undefined && query === undefined && params === undefined
      ? []
      : BOUNDARY_ERRORS.felts),
    ...(limitedAs === null ? [] : BOUNDARY_ERRORS.limited),
    ...(limitedAs === 'submissions' ? BOUNDARY_ERRORS.inFlight : []),
    ...(credential === undefined ? [] : BOUNDARY_ERRORS[credential]),
    ...errors,
    ...BOUNDARY_ERRORS.always,
  ];
}

/** Kinds of failure after which a later try can help, where the time is known. */
const MAY_SAY_WHEN: ReadonlySet<ErrorEntry['kind']> = new Set([
  'rate_limited',
  'unavailable',
  'conflict',
  'timeout',
]);

function failures(definition: RouteDescription): ZodOpenApiResponsesObject {
  const { failure } = definition;
  const byStatus = new Map<string, ErrorEntry[]>();
  for (const error of errorsOf(definition)) {
    const status = String(STATUS_BY_KIND[error.kind]);
    byStatus.set(status, [...(byStatus.get(status) ?? []), error]);
  }
  // A reply that has the status of a failure, such as 503 of the readiness, documents itself.
  const own = new Set(Object.keys(definition.replies));
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !own.has(status))
      .map(([status, entries]) => [
        status,
        {
          description: entries.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join('\n\n'),
          content: {
            'application/json': {
              schema: failure?.schema ?? ErrorBody,
              examples: Object.fromEntries(
                entries.map((entry) => [entry.code, failureExample(entry, failure?.fields)]),
              ),
            },
          },
          ...headerObjects({
            ...(entries.some(({ kind }) => MAY_SAY_WHEN.has(kind))
              ? { 'Retry-After': 'Seconds; where the time is known.' }
              : {}),
            ...(entries.some(({ code }) => code === WithdrawalInProgress.code)
              ? {
                  Location: 'The submission that has the note; only with `WITHDRAWAL_IN_PROGRESS`.',
                }
              : {}),
            ...(entries.some(({ kind }) => kind === 'unauthorized')
              ? { 'WWW-Authenticate': '`Bearer`' }
              : {}),
          }),
        },
      ]),
  );
}

function failureExample(
  { code, meaning }: ErrorEntry,
  fields: Readonly<Record<string, string | number>> = {},
) {
  return {
    summary: code,
    value: { error: meaning, code, requestId: '0b8f3c1e-5d7a-4e2b-9c64-1f2a3b4c5d6e', ...fields },
  };
}
