import { implementCached, type Route } from '@sotto/http-server';
import { describeRoute } from '../../define-route.js';
import { z } from 'zod';
import type { OpenApiDocument } from '../../../composition/bindings.js';

const openApi = describeRoute({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApi',
  summary: 'This document',
  description: '`GET /docs` shows it as a page.',
  tag: 'meta',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'An OpenAPI 3.1 document',
      schema: z.record(z.string(), z.unknown()).meta({ id: 'OpenApiDocument' }),
    },
  },
  cached: { cacheControl: 'public, max-age=300', freshMs: 300_000, staleMs: 300_000 },
  faults: [],
});

/** `GET /openapi.json`. */
export class OpenApiRoute implements Route {
  static readonly definition = openApi;
  readonly definition = openApi;
  readonly serve: Route['serve'];

  constructor(private readonly document: OpenApiDocument) {
    this.serve = implementCached(openApi, {
      cacheKey: () => null,
      answer: () => this.#answer(),
    }).serve;
  }

  async #answer(): Promise<OpenApiDocument['json']> {
    return this.document.json;
  }
}
