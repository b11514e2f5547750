import { describe, expect, it } from '@jest/globals';
import {
  ROUTES,
  codesOf,
  feeEstimate,
  live,
  submission,
  type CodeOf,
  type RouteDefinition,
} from '../../src/index.js';

const definitions: readonly RouteDefinition[] = ROUTES;
const named = definitions.map((definition) => [definition.operationId, definition] as const);

describe('the definitions', () => {
  it('the route definitions have unique names and paths', () => {
    const names = definitions.map(({ operationId }) => operationId);
    const places = definitions.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(ROUTES.length);
    expect(new Set(places).size).toBe(ROUTES.length);
  });

  it('the route definitions have the same error codes as types and as values', () => {
    const codes = [
      'INVALID_REQUEST',
      'INVALID_FELT',
      'RATE_LIMITED',
      ...feeEstimate.errors,
      'INTERNAL',
    ] as const satisfies readonly CodeOf<typeof feeEstimate>[];
    expect(codesOf(feeEstimate)).toEqual(codes);
    // @ts-expect-error the fee estimate reads no body
    const other: CodeOf<typeof feeEstimate> = 'INVALID_JSON';
    expect(codesOf(feeEstimate)).not.toContain(other);
    expect(codesOf(live)).toEqual(['INVALID_REQUEST', 'INTERNAL']);
    // @ts-expect-error the id of a submission is no felt
    const felt: CodeOf<typeof submission> = 'INVALID_FELT';
    expect(codesOf(submission)).not.toContain(felt);
  });
});

describe.each(named)('the examples of %s', (_id, definition) => {
  const replies = Object.entries(definition.replies).flatMap(
    ([status, { schema, examples = {} }]) =>
      Object.entries(examples).map(
        ([name, { value }]) => [`${status} ${name}`, schema, value] as const,
      ),
  );
  if (definition.path !== '/openapi.json') {
    it.each(replies)(
      'the example value of %s does not change when its schema parses it',
      (_name, schema, value) => {
        expect(schema.parse(value)).toEqual(value);
      },
    );
    it('each reply of the route definition has at least one example', () => {
      for (const reply of Object.values(definition.replies))
        expect(Object.keys(reply.examples ?? {})).not.toEqual([]);
    });
  }
});
