import { injectable } from 'inversify';
import { z } from 'zod';
import { OpenApiDocumentToken, type OpenApiJson } from '../../../composition/bindings.js';
import { inject } from '../../../composition/inject.js';
import { describeRoute, handlerFor, type AnswerOf, type Route } from '../../define-route.js';

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
  cacheControl: 'public, max-age=300',
  faults: [],
});

/** `GET /openapi.json`. */
@injectable()
export class OpenApiRoute implements Route {
  static readonly definition = openApi;
  readonly definition = openApi;
  readonly handler = handlerFor(openApi, () => this.#answer());

  constructor(@inject(OpenApiDocumentToken) private readonly document: OpenApiJson) {}

  async #answer(): Promise<AnswerOf<typeof openApi>> {
    return { status: 200, body: this.document };
  }
}
