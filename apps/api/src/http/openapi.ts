import type { FaultEntry } from '@sotto/relayer-core';
import { createDocument, type ZodOpenApiPathsObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import type { ReplyDefinition, Route, RouteDescription } from './define-route.js';
import { BOUNDARY_FAULTS, STATUS_BY_KIND } from './errors.js';
import { ErrorBody } from './schemas.js';

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document of these routes, made from the schemas that requests and replies are checked with. */
export function buildOpenApi(routes: readonly Route[]): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const { definition } of routes) {
    const path = definition.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [definition.method]: operation(definition) };
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Sotto',
      version: '1.0.0',
      description:
        'Relays withdrawals from shielded pools on Starknet. Changes are additive only. Every failure has the body `Error`; its codes are listed at each status.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    // The relayer takes no credential: privacy is achieved by the proof.
    security: [],
    tags: [...new Set(routes.map(({ definition }) => definition.tag))].map((name) => ({ name })),
    paths,
  });
}

function operation(definition: RouteDescription): NonNullable<ZodOpenApiPathsObject[string]['get']> {
  const { operationId, summary, description, tag, body, query, params, headers } = definition;
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
    ...(Object.keys(parameters).length === 0 ? {} : { requestParams: parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: { ...successes(definition), ...failures(definition) },
  };
}

function successes({ replies }: RouteDescription): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(replies).map(([status, { description, schema, headers }]) => [
      status,
      { description, content: { 'application/json': { schema } }, ...headerObjects(headers) },
    ]),
  );
}

function headerObjects(headers: ReplyDefinition['headers']): {
  headers?: Record<string, { description: string; schema: { type: 'string' } }>;
} {
  if (headers === undefined) return {};
  const entries = Object.entries(headers).map(
    ([name, description]) => [name, { description, schema: { type: 'string' } as const }] as const,
  );
  return { headers: Object.fromEntries(entries) };
}

/** Faults that the route can answer, those of the boundary included. */
function faultsOf({ body, query, params, faults }: RouteDescription): readonly FaultEntry[] {
  const hasInput = body !== undefined || query !== undefined || params !== undefined;
  return [
    ...(hasInput ? BOUNDARY_FAULTS.input : []),
    ...(body === undefined ? [] : BOUNDARY_FAULTS.body),
    ...faults,
    ...BOUNDARY_FAULTS.always,
  ];
}

function failures(definition: RouteDescription): ZodOpenApiResponsesObject {
  const byStatus = new Map<string, FaultEntry[]>();
  for (const fault of faultsOf(definition)) {
    const status = String(STATUS_BY_KIND[fault.kind]);
    byStatus.set(status, [...(byStatus.get(status) ?? []), fault]);
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
          content: { 'application/json': { schema: ErrorBody } },
        },
      ]),
  );
}
