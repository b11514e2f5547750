import { beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { implement, type Route } from '@sotto/http-server';
import { describeRoute } from '@sotto/routes';
import { testApp, type TestApp } from './test-app.js';

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

describe('health', () => {
  it('the route /health/live reports that the process is alive', async () => {
    const response = await request(test.app).get('/health/live');
    expect([response.status, response.body]).toEqual([200, { status: 'alive' }]);
  });

  it.each([
    [true, 200, { status: 'ready', checks: { store: { ok: true, code: null } } }],
    [
      false,
      503,
      { status: 'not_ready', checks: { store: { ok: false, code: 'STORE_NOT_WRITABLE' } } },
    ],
  ])(
    'the route /health/ready reports the readiness checks: ready is %s',
    async (ready, status, body) => {
      test.useCases.ready = ready;
      const response = await request(test.app).get('/health/ready');
      expect([response.status, response.body]).toEqual([status, body]);
    },
  );

  it('O1: the route /health/serving returns 200 even while withdrawals are impossible', async () => {
    test.useCases.ready = false;
    const response = await request(test.app).get('/health/serving');
    expect([response.status, response.body]).toEqual([
      200,
      { status: 'ready', checks: { store_reads: { ok: true, code: null } } },
    ]);
    test.useCases.serving = false;
    expect((await request(test.app).get('/health/serving')).status).toBe(503);
  });
});

describe('every answer', () => {
  it.each(['/health/live', '/none'])(
    'every response on %s has the headers of a JSON interface, and does not reveal the service’s web framework',
    async (path) => {
      const { headers } = await request(test.app).get(path);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'strict-transport-security': expect.stringContaining('max-age='),
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('etag');
    },
  );

  it('every response has a request id that the service generates, and the caller’s request id is ignored', async () => {
    const { headers } = await request(test.app).get('/health/live').set('X-Request-Id', 'marker');
    expect(headers['x-request-id']).not.toBe('marker');
    expect(test.logged.join('')).not.toContain('marker');
  });

  it('a request writes one log line that contains no data of the caller', async () => {
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
    expect(line).toMatchObject({
      method: 'GET',
      route: 'unmatched',
      status: 404,
      code: 'ROUTE_NOT_FOUND',
    });
    expect(test.logged.join('')).not.toMatch(/marker|203\.0\.113|127\.0\.0\.1/);
  });

  it('every response is checked against its schema: a mismatch is an internal error, and unknown fields are removed', async () => {
    const Reply = z.object({ value: z.number() });
    const broken = (path: `/${string}`, body: { value: number }): Route => {
      const definition = describeRoute({
        method: 'get',
        path,
        operationId: path,
        summary: path,
        tag: 'meta',
        limitedAs: null,
        replies: { 200: { description: 'OK', schema: Reply } },
        errors: [],
      });
      return implement(definition, async () => ({ status: 200 as const, body }));
    };
    const withExtra = { value: 1, secret: 'marker' };
    const { app } = await testApp({
      more: [broken('/mismatch', { value: Number.NaN }), broken('/extra', withExtra)],
    });
    const mismatch = await request(app).get('/mismatch');
    expect([mismatch.status, mismatch.body.code]).toEqual([500, 'INTERNAL']);
    expect((await request(app).get('/extra')).body).toEqual({ value: 1 });
  });
});
