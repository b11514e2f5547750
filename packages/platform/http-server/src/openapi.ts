import { STATUS_BY_KIND, type ErrorKind } from '@sotto/facts';
import type * as z from 'zod';
import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { errorLink, type DocumentedError } from './error-page.js';
import { isOptional, type Examples, type ReplyDefinition, type RouteDefinition } from './route.js';

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Content of the OpenAPI document that the route definitions do not contain. */
export interface OpenApiOptions<D extends RouteDefinition> {
  readonly info: ZodOpenApiObject['info'];
  /** Description of each tag, in one sentence. */
  readonly tags: Readonly<Record<string, string>>;
  /** Security schemes of the credentials that routes require. */
  readonly credentials: Readonly<
    Record<
      string,
      { readonly type: 'http'; readonly scheme: 'bearer'; readonly description: string }
    >
  >;
  /** Returns every error that a route can return, in the sequence of the list of errors. */
  readonly errorsOf: (definition: D) => readonly DocumentedError[];
  /** Schema of the body of error responses. */
  readonly errorBody: z.ZodType;
  /**
   * Returns the headers that only an error response with this code may have, with their
   * descriptions.
   */
  readonly headersOf: (code: string) => Readonly<Record<string, string>>;
}

/**
 * Builds the OpenAPI 3.1 document of these routes from the schemas of requests and responses.
 * @throws Error if a tag has no description
 */
export function buildOpenApi<D extends RouteDefinition>(
  definitions: readonly D[],
  options: OpenApiOptions<D>,
): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const definition of definitions) {
    const path = definition.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [definition.method]: operation(definition, options) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: options.info,
    servers: [{ url: '/' }],
    // By default, the document lists no credential for a route. A route that requires a credential
    // overrides this.
    security: [],
    components: { securitySchemes: options.credentials },
    tags: [...new Set(definitions.map(({ tag }) => tag))].map((name) => {
      const description = options.tags[name];
      if (description === undefined) throw new Error(`there is no description of the tag ${name}`);
      return { name, description };
    }),
    paths,
  };
  return createDocument(document, { override: forGenerators });
}

/** Replaces JSON Schema keywords that client generators interpret wrongly. */
const forGenerators: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema: schema }) => {
  // openapi-typescript would make a field with a default required, also in requests.
  if (schema.default !== undefined) {
    const sentence = `Default: \`${JSON.stringify(schema.default)}\`.`;
    schema.description = [schema.description, sentence]
      .filter((text) => text !== undefined)
      .join(' ');
    delete schema.default;
  }
  // A record with fixed keys is documented as an object with these properties.
  const { propertyNames: names, additionalProperties: values } = schema;
  if (typeof names === 'object' && typeof values === 'object' && Array.isArray(names.enum)) {
    schema.properties = Object.fromEntries(names.enum.map((name) => [String(name), { ...values }]));
    schema.additionalProperties = false;
    delete schema.propertyNames;
  }
};

function operation<D extends RouteDefinition>(
  definition: D,
  options: OpenApiOptions<D>,
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
            required: !isOptional(body.schema),
            content: {
              'application/json': { schema: body.schema, examples: mutable(body.examples) },
            },
          },
        }),
    responses: { ...successes(definition), ...failures(definition, options) },
  };
}

function successes({ replies, cached }: RouteDefinition): ZodOpenApiResponsesObject {
  const documented = Object.entries(replies).map(
    ([status, { description, contentType, schema, headers, examples }]) => {
      const ofCached =
        cached === undefined || status !== '200'
          ? {}
          : {
              'Cache-Control': `\`${cached.cacheControl}\``,
              ETag: 'Of this answer, for `If-None-Match`.',
            };
      const content = {
        [contentType ?? 'application/json']: {
          schema,
          ...(examples === undefined ? {} : { examples: mutable(examples) }),
        },
      };
      return [
        status,
        { description, content, ...headerObjects({ ...headers, ...ofCached }) },
      ] as const;
    },
  );
  const unchanged =
    cached === undefined
      ? []
      : [
          [
            '304',
            { description: 'The answer is still the one that `If-None-Match` names' },
          ] as const,
        ];
  return Object.fromEntries([...documented, ...unchanged]);
}

/** Copies the examples, because the document's types are not readonly. */
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

/** Kinds of errors whose response can contain a Retry-After. */
const MAY_SAY_WHEN: ReadonlySet<ErrorKind> = new Set([
  'rate_limited',
  'unavailable',
  'conflict',
  'timeout',
]);

function failures<D extends RouteDefinition>(
  definition: D,
  { errorsOf, errorBody, headersOf }: OpenApiOptions<D>,
): ZodOpenApiResponsesObject {
  const { failure } = definition;
  const byStatus = new Map<string, DocumentedError[]>();
  for (const entry of errorsOf(definition)) {
    const status = String(STATUS_BY_KIND[entry.kind]);
    byStatus.set(status, [...(byStatus.get(status) ?? []), entry]);
  }
  // If the route's definition already documents a response with the status of an error, such as the
  // 503 of readiness, this response is not replaced.
  const own = new Set(Object.keys(definition.replies));
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !own.has(status))
      .map(([status, entries]) => [
        status,
        {
          description: entries.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join('\n\n'),
          'x-retry': Object.fromEntries(entries.map(({ code, retry }) => [code, retry])),
          content: {
            'application/json': {
              schema: failure?.schema ?? errorBody,
              examples: Object.fromEntries(
                entries.map((entry) => [entry.code, failureExample(entry, failure?.fields)]),
              ),
            },
          },
          ...headerObjects({
            ...(entries.some(({ kind }) => MAY_SAY_WHEN.has(kind))
              ? { 'Retry-After': 'Seconds; where the time is known.' }
              : {}),
            ...Object.assign({}, ...entries.map(({ code }) => headersOf(code))),
            ...(entries.some(({ kind }) => kind === 'unauthorized')
              ? { 'WWW-Authenticate': '`Bearer`' }
              : {}),
          }),
        },
      ]),
  );
}

function failureExample(
  { code, meaning, retry }: DocumentedError,
  fields: Readonly<Record<string, string | number>> = {},
) {
  return {
    summary: code,
    value: {
      error: meaning,
      code,
      retry,
      requestId: '0b8f3c1e-5d7a-4e2b-9c64-1f2a3b4c5d6e',
      docs: errorLink(code),
      ...fields,
    },
  };
}
