import { beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ERRORS, STATUS_BY_KIND, retryOf, type ErrorKind } from '@sotto/facts';
import { DomainError, toFelt } from '@sotto/kernel';
import request, { type Response } from 'supertest';
import type { Route } from '@sotto/http-server';
import type { RouteDefinition } from '@sotto/routes';
import { errorsOf } from '../../src/http/openapi.js';
import { ErrorBody, ROUTES } from '@sotto/routes';
import { answeringApp, callRoute } from './call-route.js';
import { tokenFor, testApp, type TestApp } from './test-app.js';

const definitions: readonly RouteDefinition[] = ROUTES;
const named = definitions.map((definition) => [definition.operationId, definition] as const);

/** Sends a request that the route accepts, with the route's API token. */
function call(test: TestApp, definition: RouteDefinition, body?: unknown): PromiseLike<Response> {
  const authorization =
    definition.credential === undefined ? undefined : `Bearer ${tokenFor(definition.credential)}`;
  return callRoute(test, definition, { authorization, body });
}

class Staged extends DomainError {
  constructor(
    readonly code: string,
    readonly kind: ErrorKind,
  ) {
    super('staged', { retryAfterSeconds: 7 });
  }
}

/** Makes every use case of the app fail with this error. */
function fail({ useCases }: TestApp, failure: Error): void {
  const failing = async (): Promise<never> => {
    throw failure;
  };
  useCases.answer = failing;
  useCases.status = failing;
  useCases.estimate = failing;
  useCases.quote = failing;
  useCases.list = failing;
  useCases.submission = failing;
  useCases.stakingPools = failing;
  useCases.control = failing;
  useCases.laneControl = failing;
  useCases.taskControl = failing;
  useCases.keeperStatus = failing;
  useCases.mayer = failing;
  useCases.orders = failing;
  useCases.leverageTarget = failing;
  useCases.operators.fail(failure);
  useCases.operations = failing;
  useCases.signedStatus = failing;
  useCases.deploy = failing;
  useCases.quotedSwap = () => {
    throw failure;
  };
  useCases.vaults = failing;
  useCases.quoteTransfer = failing;
  useCases.transferStatus = failing;
  useCases.bridgeRoutes = () => {
    throw failure;
  };
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly example?: string;
  readonly schema?: { readonly example?: string; readonly examples?: readonly string[] };
}

interface Operation {
  readonly parameters?: unknown;
  readonly requestBody?: unknown;
  readonly responses: unknown;
}

const isFelt = (text: string): boolean => {
  try {
    return toFelt(text).length > 2;
  } catch {
    return false;
  }
};

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Returns all objects in a document, without examples. */
const nodesOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isNode(value)
    ? [
        ...(Array.isArray(value) ? [] : [value]),
        ...Object.entries(value)
          .filter(([key]) => key !== 'example' && key !== 'examples')
          .flatMap(([, child]) => nodesOf(child)),
      ]
    : [];

/**
 * Returns the references to schemas in a part of the document, including references inside those
 * schemas.
 */
function schemasOf(document: Response['body'], part: unknown): readonly string[] {
  return nodesOf(part).flatMap(({ $ref }) =>
    typeof $ref === 'string'
      ? [$ref, ...schemasOf(document, document.components.schemas[$ref.split('/').at(-1) ?? ''])]
      : [],
  );
}

describe('GET /openapi.json', () => {
  let document: Response['body'];
  let routes: readonly Route[];
  beforeAll(async () => {
    const test = await testApp();
    ({ routes } = test);
    ({ body: document } = await request(test.app).get('/openapi.json'));
  });

  it('the served OpenAPI document is valid for version 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('the OpenAPI document describes each pair of values with keywords that validators of earlier JSON Schema drafts support too', () => {
    expect(JSON.stringify(document)).not.toContain('prefixItems');
    for (const name of ['Quote', 'SignedServiceStatus'])
      expect(document.components.schemas[name].properties.signature).toMatchObject({
        type: 'array',
        items: { type: 'string' },
        minItems: 2,
        maxItems: 2,
      });
  });

  it('S15 the OpenAPI document defines the pattern of a felt', () => {
    const { pattern } = document.components.schemas.Felt252;
    const felt = new RegExp(pattern);
    for (const text of ['0x0', '0XaB', '00012', '7']) expect(felt.test(text)).toBe(true);
    for (const text of ['', '0x', 'abc', '-1', '0x1g', ' 1']) expect(felt.test(text)).toBe(false);
  });

  it('the OpenAPI document’s felt pattern matches the same small numbers as the service’s felt parser', () => {
    const felt = new RegExp(document.components.schemas.Felt252.pattern);
    const lengths = [1, 63, 64, 65, 76, 77, 78];
    for (const text of lengths.flatMap((length) =>
      ['', '0x', '0X'].map((prefix) => `${prefix}${'7'.padStart(length, '0')}`),
    ))
      expect([text, felt.test(text)]).toEqual([text, isFelt(text)]);
  });

  it('the OpenAPI document lists INVALID_FELT only for requests that contain a felt', () => {
    for (const [path, item] of Object.entries<Record<string, Operation>>(document.paths))
      for (const [method, { parameters, requestBody, responses }] of Object.entries(item)) {
        const requested = schemasOf(document, { parameters, requestBody });
        const place = `${method} ${path}`;
        expect([place, JSON.stringify(responses).includes('`INVALID_FELT`')]).toEqual([
          place,
          requested.includes('#/components/schemas/Felt252'),
        ]);
      }
  });

  it('the OpenAPI document has no schema that client generators misread', () => {
    const misread = nodesOf(document).filter(
      (node) =>
        'default' in node ||
        (Array.isArray(node['required']) &&
          node['required'].some(
            (name) => !Object.hasOwn(Object(node['properties']), String(name)),
          )),
    );
    expect(misread).toEqual([]);
    const { PrivateSwapRequest, QuoteRequest } = document.components.schemas;
    expect(PrivateSwapRequest.properties.slippage.description).toContain('Default: `0.01`.');
    expect(QuoteRequest.required).toEqual(['poolAddress']);
  });

  it('the OpenAPI document lists exactly the served routes', () => {
    const documented = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const served = routes.map(
      ({ definition }) => `${definition.method} ${definition.path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it.each(named)(
    'the operation %s lists its HTTP statuses and error codes, with an example for each',
    (_id, definition) => {
      const operation =
        document.paths[definition.path.replaceAll(/:(\w+)/g, '{$1}')][definition.method];
      const own = Object.keys(definition.replies);
      const unchanged = definition.cached === undefined ? [] : ['304'];
      const failures = errorsOf(definition).map(({ kind }) => String(STATUS_BY_KIND[kind]));
      expect(Object.keys(operation.responses).toSorted()).toEqual(
        [...new Set([...own, ...unchanged, ...failures])].toSorted(),
      );
      for (const { code, kind, retry } of errorsOf(definition)) {
        const status = String(STATUS_BY_KIND[kind]);
        if (own.includes(status)) continue;
        expect(operation.responses[status].description).toContain(`\`${code}\``);
        expect(operation.responses[status]['x-retry']).toHaveProperty(code, retry);
        const example: unknown =
          operation.responses[status].content['application/json'].examples[code].value;
        expect((definition.failure?.schema ?? ErrorBody).parse(example)).toEqual(example);
        expect(example).toHaveProperty('docs', `/docs/errors#${code}`);
      }
      expect(operation.responses).not.toHaveProperty('405');
      expect(operation.security).toEqual(
        definition.credential === undefined ? undefined : [{ [definition.credential]: [] }],
      );
      expect(operation.responses['401']?.headers['WWW-Authenticate'] !== undefined).toBe(
        definition.credential !== undefined,
      );
      expect(operation.responses['429']?.headers === undefined).toBe(definition.limitedAs === null);
    },
  );

  it('the OpenAPI document describes every credential that a route requires', () => {
    const schemes = [...new Set(definitions.flatMap(({ credential }) => credential ?? []))];
    expect(schemes.toSorted()).toEqual(['curator', 'operator']);
    for (const scheme of schemes)
      expect(document.components.securitySchemes[scheme]).toMatchObject({
        type: 'http',
        scheme: 'bearer',
      });
    expect(document.security).toEqual([]);
  });

  it('the OpenAPI document describes each group of routes in a sentence', () => {
    const tags: readonly { readonly name: string; readonly description: string }[] = document.tags;
    expect(tags.map(({ name }) => name).toSorted()).toEqual(
      [...new Set(definitions.map(({ tag }) => tag))].toSorted(),
    );
    for (const { description } of tags) expect(description).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('the OpenAPI document limits the size of calldata, and states that the leafIndex of a failed swap is -1', () => {
    const { properties } = document.components.schemas.WithdrawRequest;
    expect(properties.calldata.maxItems).toBe(5_000);
    expect(document.components.schemas.PrivateSwapError.properties.leafIndex).toMatchObject({
      const: -1,
    });
  });
});

describe('the examples of headers', () => {
  const headed = named.filter(([, { headers }]) => headers !== undefined);
  it.each(headed)(
    'a request to %s with the example headers of the OpenAPI document succeeds',
    async (_id, definition) => {
      const test = await answeringApp();
      const { body: document } = await request(test.app).get('/openapi.json');
      const parameters: readonly Parameter[] = document.paths[definition.path].post.parameters;
      const headers = parameters
        .filter((parameter) => parameter.in === 'header')
        .flatMap(({ name, example, schema }) => {
          const value = example ?? schema?.example ?? schema?.examples?.[0];
          return value === undefined ? [] : [[name, value] as const];
        });
      const response = await callRoute(test, definition, { headers: Object.fromEntries(headers) });
      expect([200, 202]).toContain(response.status);
    },
  );
});

describe.each(named)('the examples of %s', (_id, definition) => {
  const requests = Object.entries(definition.body?.examples ?? {});
  if (requests.length > 0) {
    it.each(requests)(
      'the service accepts the example request %s of the OpenAPI document',
      async (_name, { value }) => {
        const test = await answeringApp();
        expect((await call(test, definition, value)).status).toBe(200);
      },
    );
  }
});

describe.each(named.filter(([, { path }]) => path.startsWith('/api/')))('%s', (_id, definition) => {
  const errors = definition.errors.map(
    (code) => [STATUS_BY_KIND[ERRORS[code].kind], code, ERRORS[code].kind] as const,
  );

  it('the response of each API route matches the route’s schema in the OpenAPI document', async () => {
    const test = await answeringApp();
    const response = await call(test, definition);
    const { status } = response;
    expect(status).toBe(200);
    const { contentType, schema } = definition.replies[200] ?? {};
    const isJson = contentType === undefined;
    const body: unknown = isJson ? response.body : response.text;
    expect(response.type).toBe(contentType ?? 'application/json');
    expect(schema?.parse(body)).toEqual(body);
  });

  if (errors.length > 0) {
    it.each(errors)('a failing route responds %d %s', async (status, code, kind) => {
      const test = await testApp();
      fail(test, new Staged(code, kind));
      const response = await call(test, definition);
      expect(response.status).toBe(status);
      expect(response.body).toEqual({
        error: 'staged',
        code,
        retry: retryOf(code),
        retryAt: expect.any(Number),
        requestId: response.headers['x-request-id'],
        docs: `/docs/errors#${code}`,
        ...definition.failure?.fields,
      });
      expect(response.headers).toMatchObject({ 'retry-after': '7', 'cache-control': 'no-store' });
    });
  }

  it('every API route answers 500 without details if its use case throws an unexpected error', async () => {
    const test = await testApp();
    fail(test, new Error('marker'));
    const response = await call(test, definition);
    expect([response.status, response.body.code]).toEqual([500, 'INTERNAL']);
    expect(response.text).not.toContain('marker');
  });
});
