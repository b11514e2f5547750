import { beforeEach, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import request from 'supertest';
import { z } from 'zod';
import { defineRoute } from '../../src/http/define-route.js';
import { testApp, type TestApp } from './test-app.js';

let test: TestApp;
beforeEach(() => {
  test = testApp();
});

describe('health', () => {
  it('says that the process lives', async () => {
    const response = await request(test.app).get('/health/live');
    expect([response.status, response.body]).toEqual([200, { status: 'alive' }]);
  });

  it.each([
    [true, 200, { status: 'ready', checks: { store: { ok: true, code: null } } }],
    [false, 503, { status: 'not_ready', checks: { store: { ok: false, code: 'LEDGER_UNAVAILABLE' } } }],
  ])('reports its checks: ready is %s', async (ready, status, body) => {
    test.useCases.ready = ready;
    const response = await request(test.app).get('/health/ready');
    expect([response.status, response.body]).toEqual([status, body]);
  });
});

describe('every answer', () => {
  it.each(['/health/live', '/none'])('carries the headers of a JSON interface on %s, and does not name its framework', async (path) => {
    const { headers } = await request(test.app).get(path);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  it('has an id of its own, whatever the caller sends', async () => {
    const { headers } = await request(test.app).get('/health/live').set('X-Request-Id', 'marker');
    expect(headers['x-request-id']).not.toBe('marker');
    expect(test.logged.join('')).not.toContain('marker');
  });

  it('leaves one line that names nobody', async () => {
    await request(test.app)
      .get('/none/marker?marker=marker')
      .set({ 'User-Agent': 'marker', 'X-Forwarded-For': '203.0.113.9', Referer: 'https://marker' });
    expect(test.logged).toHaveLength(1);
    const line: object = JSON.parse(test.logged[0] ?? '{}');
    expect(Object.keys(line).toSorted()).toEqual([
      'code',
      'durationMs',
      'level',
      'message',
      'method',
      'requestId',
      'route',
      'status',
      'time',
    ]);
    expect(line).toMatchObject({ method: 'GET', route: 'unmatched', status: 404, code: 'ROUTE_NOT_FOUND' });
    expect(test.logged.join('')).not.toMatch(/marker|203\.0\.113|127\.0\.0\.1/);
  });

  it('is checked against its schema: what does not match is a bug, what is not in it does not leak', async () => {
    const Reply = z.object({ value: z.number() });
    const broken = (path: `/${string}`, body: { value: number }): ReturnType<typeof defineRoute> =>
      defineRoute({
        method: 'get',
        path,
        operationId: path,
        summary: path,
        tag: 'test',
        replies: { 200: { description: 'OK', schema: Reply } },
        faults: [],
        handle: async () => ({ status: 200, body }),
      });
    const withExtra = { value: 1, secret: 'marker' };
    const { app } = testApp([broken('/mismatch', { value: Number.NaN }), broken('/extra', withExtra)]);
    const mismatch = await request(app).get('/mismatch');
    expect([mismatch.status, mismatch.body.code]).toEqual([500, 'INTERNAL']);
    expect((await request(app).get('/extra')).body).toEqual({ value: 1 });
  });
});

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const { body } = await request(test.app).get('/openapi.json');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(body));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has every route with its errors', async () => {
    const { body } = await request(test.app).get('/openapi.json');
    const documented = Object.entries<object>(body.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
    const served = test.routes.map(({ definition }) => `${definition.method} ${definition.path.replace(':id', '{id}')}`);
    expect(documented.toSorted()).toEqual(served.toSorted());

    const { responses, requestBody } = body.paths['/api/relayer/withdraw'].post;
    expect(Object.keys(responses)).toEqual(['200', '202', '400', '404', '409', '413', '422', '500', '502', '503', '504']);
    expect(responses['422'].description).toContain('FEE_TOO_LOW');
    expect(responses['409'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
    expect(requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/WithdrawRequest' });
    expect(body.components.schemas.WithdrawRequest.properties.calldata.maxItems).toBe(5_000);
  });
});
