import type { Clock, Logger } from '@sotto/kernel';
import { z } from 'zod';
import type { OpenApiDocument } from '../../../composition/bindings.js';
import { describeRoute, type Route, type RouteHandler } from '../../define-route.js';
import { ResponseCache } from '../../response-cache.js';

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
  kept: { cacheControl: 'public, max-age=300', freshMs: 300_000, staleMs: 300_000 },
  errors: [],
});

/** `GET /openapi.json`. */
export class OpenApiRoute implements Route {
  static readonly definition = openApi;
  readonly definition = openApi;
  readonly kept: ResponseCache<typeof openApi, null>;
  readonly handler: RouteHandler;

  constructor(
    private readonly document: OpenApiDocument,
    clock: Clock,
    logger: Logger,
  ) {
    this.kept = new ResponseCache(
      openApi,
      { ask: () => null, answer: () => this.#answer() },
      { clock, logger },
    );
    this.handler = this.kept.handler;
  }

  async #answer(): Promise<OpenApiDocument['json']> {
    return this.document.json;
  }
}
