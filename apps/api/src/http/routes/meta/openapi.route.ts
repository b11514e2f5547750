import { z } from 'zod';
import { defineRoute, type Route } from '../../define-route.js';
import { buildOpenApi } from '../../openapi.js';

/** `GET /openapi.json` over the other routes and itself. */
export function openApiRoute(others: readonly Route[]): Route {
  const route = defineRoute({
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    tag: 'meta',
    replies: { 200: { description: 'An OpenAPI 3.1 document', schema: z.record(z.string(), z.unknown()).meta({ id: 'OpenApiDocument' }) } },
    faults: [],
    handle: async () => ({ status: 200, body: { ...document } }),
  });
  const document = buildOpenApi([...others, route]);
  return route;
}
