import { describe, expect, it } from '@jest/globals';
import { domainError, silentLogger, systemClock, type DomainError } from '@sotto/kernel';
import { STATUS_BY_KIND } from '@sotto/facts';
import { Metrics } from '@sotto/telemetry';
import request, { type Response } from 'supertest';
import * as z from 'zod';
import {
  InFlight,
  RpcError,
  createApp,
  implementJsonRpc,
  rpcMethodOf,
  type RouteDefinition,
} from '../../src/index.js';

class Busy extends domainError('OVERLOADED') {}

const endpoint = {
  method: 'post',
  path: '/rpc',
  operationId: 'call',
  summary: 'Calls',
  tag: 'things',
  limitedAs: 'writes',
  body: {
    schema: z.object({ method: z.string() }),
    limitBytes: 2_000,
    isLarge: true,
    examples: {},
  },
  replies: { 200: { description: 'The result', schema: z.unknown() } },
} as const satisfies RouteDefinition;

const rpcMethod = rpcMethodOf(endpoint);

const SMALL_BYTES = 300;

interface World {
  readonly app: ReturnType<typeof createApp>;
  readonly added: number[];
  readonly inFlight: InFlight;
}

function started(perMinute = { reads: 100, quotes: 100, writes: 100 }): World {
  const added: number[] = [];
  const inFlight = new InFlight({ inAll: 1, perClient: 1 });
  const route = implementJsonRpc(endpoint, {
    small: { bytes: SMALL_BYTES, limitedAs: 'reads' },
    errorOf: ({ code, kind, message }: DomainError) => ({
      status: code === 'INTERNAL' ? 200 : STATUS_BY_KIND[kind],
      error: { code: 1, message: code, data: message },
    }),
    methods: {
      ping: rpcMethod(
        'reads',
        { params: z.strictObject({}), result: z.boolean() },
        async () => true,
      ),
      quote: rpcMethod('quotes', { params: z.object({}), result: z.int() }, async () => 7),
      add: rpcMethod(
        'writes',
        { params: z.strictObject({ a: z.int(), b: z.int() }), result: z.int() },
        async ({ a, b }) => {
          added.push(inFlight.counts().requests);
          return a + b;
        },
      ),
      fail: rpcMethod(
        'reads',
        { params: z.object({ how: z.string() }), result: z.int() },
        async ({ how }) => {
          if (how === 'rpc') throw new RpcError({ code: 42, message: 'No', data: 'why' });
          if (how === 'domain') throw new Busy({ retryAfterSeconds: 3 });
          throw new Error('marker');
        },
      ),
    },
  });
  const app = createApp({
    routes: [route],
    clock: systemClock,
    logger: silentLogger,
    trustedProxies: 0,
    corsOrigins: [],
    rateLimits: { perMinute, maxClients: 10 },
    guards: {},
    closedPaths: /^\/closed/,
    inFlight,
    boundedGroup: 'writes',
    refusedAs: 'reads',
    metrics: new Metrics(false),
    codesOf: () => undefined,
    headersOf: () => ({}),
    stopping: new AbortController().signal,
  });
  return { app, added, inFlight };
}

const post = (app: World['app'], body: object | string): PromiseLike<Response> =>
  request(app).post('/rpc').set('Content-Type', 'application/json').send(body);

const call = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

async function answer(body: object | string): Promise<unknown> {
  const { status, body: answered } = await post(started().app, body);
  return [status, answered];
}

const failure = (code: number, data: unknown, id: unknown = 1) => [
  200,
  {
    jsonrpc: '2.0',
    id,
    error: { code, message: expect.any(String), data },
  },
];

describe('a JSON-RPC endpoint', () => {
  it.each([1, 0, -3, 'a', '', null])('repeats the id of a request: %p', async (id) => {
    expect(await answer(call('ping', undefined, id))).toEqual([
      200,
      { jsonrpc: '2.0', id, result: true },
    ]);
  });

  it('answers two requests with the same id', async () => {
    const { app } = started();
    for (const b of [2, 3])
      expect((await post(app, call('add', { a: 1, b }))).body).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: 1 + b,
      });
  });

  it.each([undefined, {}, []])('accepts %p as no parameters', async (params) => {
    expect(await answer(call('ping', params))).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, result: true },
    ]);
  });

  it('rejects parameters by position', async () => {
    expect(await answer(call('add', [1, 2]))).toEqual(
      failure(-32_602, 'params: must be named, as an object'),
    );
  });

  it('rejects batches, also an empty one, without executing a part', async () => {
    const { app, added } = started();
    for (const batch of [[], [call('add', { a: 1, b: 2 })]])
      expect((await post(app, batch)).body).toEqual(
        failure(-32_600, 'batches are not served: send each request separately', null)[1],
      );
    expect(added).toEqual([]);
  });

  it.each([
    [{ id: 1, method: 'ping' }, 'jsonrpc must be "2.0", and method a text', 1],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 'jsonrpc must be "2.0", and method a text', 1],
    [{ jsonrpc: '2.0', id: 1 }, 'jsonrpc must be "2.0", and method a text', 1],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, expect.stringMatching(/^id: /), null],
    [{ jsonrpc: '2.0', id: 'x'.repeat(129), method: 'ping' }, expect.stringMatching(/^id: /), null],
    ['"text"', 'the body is no object', null],
    ['null', 'the body is no object', null],
  ])('rejects an invalid request object: %j', async (body, data, id) => {
    expect(await answer(body)).toEqual(failure(-32_600, data, id));
  });

  it('names the methods if the method is unknown', async () => {
    for (const method of ['none', 'constructor', '__proto__'])
      expect(await answer(call(method))).toEqual(
        failure(-32_601, 'the methods are ping, quote, add, fail'),
      );
  });

  it('does not execute a notification', async () => {
    const { app, added } = started();
    const { status, text } = await post(app, {
      jsonrpc: '2.0',
      method: 'add',
      params: { a: 1, b: 2 },
    });
    expect([status, text, added]).toEqual([204, '', []]);
  });

  it('converts each kind of failure, with the id of the request', async () => {
    expect(await answer(call('fail', { how: 'rpc' }, 'x'))).toEqual(failure(42, 'why', 'x'));
    expect(await answer(call('fail', { how: 'bug' }, 'x'))).toEqual(
      failure(1, 'internal error', 'x'),
    );
    const { status, body, headers } = await post(started().app, call('fail', { how: 'domain' }));
    expect([status, headers['retry-after'], body.id, body.error.message]).toEqual([
      503,
      '3',
      1,
      'OVERLOADED',
    ]);
    const { body: invalid } = await post(started().app, call('add', { a: 1 }));
    expect([invalid.id, invalid.error.message]).toEqual([1, 'INVALID_REQUEST']);
    const { body: unreadable } = await post(started().app, '{ no JSON');
    expect([unreadable.id, unreadable.error.message]).toEqual([null, 'INVALID_JSON']);
  });

  it('counts a small request as a read first, and then in the group of its method', async () => {
    const { app } = started({ reads: 5, quotes: 1, writes: 2 });
    const code = async (method: string, params: object): Promise<string | undefined> =>
      (await post(app, call(method, params))).body.error?.message;
    expect([await code('quote', {}), await code('quote', {})]).toEqual([undefined, 'RATE_LIMITED']);
    const sum = { a: 1, b: 2 };
    expect([await code('add', sum), await code('add', sum), await code('add', sum)]).toEqual([
      undefined,
      undefined,
      'RATE_LIMITED',
    ]);
    const { status, body } = await post(app, call('ping'));
    expect([status, body.id, body.error.message]).toEqual([429, null, 'RATE_LIMITED']);
  });

  it('counts a large request in the group of the route only, before its body is read', async () => {
    const { app } = started({ reads: 1, quotes: 9, writes: 2 });
    const large = { ...call('add', { a: 1, b: 2 }), padding: 'x'.repeat(SMALL_BYTES) };
    expect((await post(app, large)).body.result).toBe(3);
    expect((await post(app, large)).body.result).toBe(3);
    const { status, body } = await post(app, `{ no JSON${' '.repeat(SMALL_BYTES)}`);
    expect([status, body.error.message]).toEqual([429, 'RATE_LIMITED']);
    expect((await post(app, call('ping'))).body.result).toBe(true);
  });

  it('counts only executions among the requests in flight', async () => {
    const { app, added, inFlight } = started();
    expect((await post(app, call('add', { a: 1, b: 2 }))).status).toBe(200);
    expect(added).toEqual([1]);
    expect(inFlight.counts().requests).toBe(0);
  });
});
