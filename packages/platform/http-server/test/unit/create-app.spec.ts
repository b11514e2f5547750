import { describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@sotto/kernel';
import { Metrics } from '@sotto/telemetry';
import request from 'supertest';
import * as z from 'zod';
import { InvalidRequest } from '../../src/errors.js';
import {
  InFlight,
  createApp,
  implement,
  implementCached,
  type AppOptions,
  type Route,
  type RouteDefinition,
} from '../../src/index.js';

const appOf = (...routes: readonly Route[]): ReturnType<typeof createApp> => appWith({ routes });

const appWith = (options: Partial<AppOptions>): ReturnType<typeof createApp> =>
  createApp({
    routes: [],
    clock: systemClock,
    logger: silentLogger,
    trustedProxies: 0,
    corsOrigins: [],
    rateLimits: { perMinute: { reads: 4 }, maxClients: 10 },
    guards: {},
    closedPaths: /^\/closed/,
    inFlight: new InFlight({ inAll: 1, perClient: 1 }),
    boundedGroup: 'writes',
    refusedAs: 'reads',
    metrics: new Metrics(false),
    codesOf: () => undefined,
    headersOf: () => ({}),
    stopping: new AbortController().signal,
    ...options,
  });

const read = {
  method: 'get',
  path: '/things/:id',
  operationId: 'getThing',
  summary: 'A thing',
  tag: 'things',
  limitedAs: 'reads',
  params: z.strictObject({ id: z.string().max(3) }),
  replies: { 200: { description: 'It', schema: z.object({ id: z.string() }) } },
} as const satisfies RouteDefinition;

const things = implement(read, async ({ params }) => ({ status: 200, body: { id: params.id } }));

const failure = (code: string): unknown => expect.objectContaining({ code });

describe('an app of routes', () => {
  it('an app serves its routes, and rejects unknown paths and wrong methods', async () => {
    const app = appOf(things);
    const answer = async (method: 'get' | 'post', path: string): Promise<unknown> =>
      (await request(app)[method](path)).body;
    expect(await answer('get', '/things/abc')).toEqual({ id: 'abc' });
    expect(await answer('post', '/things/abc')).toEqual(failure('METHOD_NOT_ALLOWED'));
    expect(await answer('get', '/others')).toEqual(failure('ROUTE_NOT_FOUND'));
    expect(await answer('get', '/things/abcd')).toEqual(failure('INVALID_REQUEST'));
    expect(await answer('get', '/things/abc')).toEqual(failure('RATE_LIMITED'));
  });

  describe('O2: a caller whose requests reach no route', () => {
    const REFUSED = [
      ['an unknown path', 'get', '/others', 404],
      ['an unknown path below a route', 'post', '/things/abc/more', 404],
      ['a wrong method', 'post', '/things/abc', 405],
      ['a path with a broken escape', 'get', '/things/%zz', 400],
    ] as const;

    it.each(REFUSED)(
      'requests that reach no route are counted against the caller’s limit of reads: %s',
      async (_, method, path, status) => {
        const app = appWith({ routes: [things], corsOrigins: ['*'] });
        const statuses: number[] = [];
        for (let sent = 0; sent < 5; sent += 1)
          statuses.push((await request(app)[method](path)).status);
        expect(statuses).toEqual([status, status, status, status, 429]);
        const { status: ofRead, body } = await request(app).get('/things/abc');
        expect([ofRead, body]).toEqual([429, failure('RATE_LIMITED')]);
      },
    );

    it.each(['/things/abc', '/others'])(
      'CORS preflights are counted against a separate limit, not against the limit of reads: %s',
      async (path) => {
        const app = appWith({ routes: [things], corsOrigins: ['*'] });
        const statuses: number[] = [];
        for (let sent = 0; sent < 5; sent += 1)
          statuses.push((await request(app).options(path)).status);
        expect(statuses).toEqual([204, 204, 204, 204, 429]);
        expect((await request(app).get('/things/abc')).status).toBe(200);
      },
    );

    it('CORS preflights are accepted even if the caller has used all its reads', async () => {
      const app = appWith({ routes: [things], corsOrigins: ['*'] });
      for (let sent = 0; sent < 5; sent += 1) await request(app).get('/others');
      expect((await request(app).get('/things/abc')).status).toBe(429);
      expect((await request(app).options('/things/abc')).status).toBe(204);
    });

    it('a rejected request is counted only once against the caller’s limit', async () => {
      const app = appOf(things);
      for (let sent = 0; sent < 4; sent += 1)
        expect((await request(app).get('/things/abcd')).status).toBe(400);
      expect((await request(app).get('/others')).status).toBe(429);
    });

    it('a route without a rate limit group has no rate limit', async () => {
      const fails = implement({ ...read, path: '/free/:id', limitedAs: null }, async () => {
        throw new InvalidRequest([]);
      });
      const app = appOf(fails);
      for (let sent = 0; sent < 6; sent += 1) {
        expect((await request(app).get('/others')).status).toBe(sent < 4 ? 404 : 429);
        expect((await request(app).get('/free/abc')).status).toBe(400);
      }
    });
  });

  it('an app computes a cached response once for each cache key', async () => {
    const requested: (string | null)[] = [];
    const cached = { cacheControl: 'no-cache', freshMs: 60_000, staleMs: 60_000 };
    const route = implementCached(
      { ...read, cached },
      {
        cacheKey: ({ params }) => params.id.toLowerCase(),
        answer: async (id) => {
          requested.push(id);
          return { id };
        },
      },
    );
    const app = appOf(route);
    expect((await request(app).get('/things/a')).body).toEqual({ id: 'a' });
    expect((await request(app).get('/things/A')).body).toEqual({ id: 'a' });
    expect(requested).toEqual(['a']);
  });

  it('error responses link to the page of error codes, and this page escapes the texts of the errors', async () => {
    const entry = { kind: 'conflict', retry: 'never', remedy: 'Turn round.' } as const;
    const errors = [
      { ...entry, code: 'ROUTE_NOT_FOUND', meaning: 'Send `a` < `b` & <script>.' },
      { ...entry, code: 'A_FIRST', meaning: 'It comes first.' },
    ];
    const app = appWith({ documentation: { title: 'A <test>', errors } });
    const { body } = await request(app).get('/nowhere');
    expect(body).toMatchObject({ docs: '/docs/errors#ROUTE_NOT_FOUND' });
    const { status, type, text } = await request(app).get(body.docs);
    expect([status, type]).toEqual([200, 'text/html']);
    expect(text).toContain('<title>A &lt;test&gt;: errors</title>');
    expect(text).toContain('Send <code>a</code> &lt; <code>b</code> &amp; &lt;script&gt;.');
    expect([...text.matchAll(/<section id="(\w+)">/g)].map(([, id]) => id)).toEqual([
      'A_FIRST',
      'ROUTE_NOT_FOUND',
    ]);
    expect(text).toContain('Status 409, retry: <a href="#never">never</a>');
  });

  it('an unknown path gets an HTML page in a browser; programs, and all callers of /api, get JSON', async () => {
    const documentation = { title: 'Things', errors: [] };
    // Each request has a new app, because the rate limit of the fixture is small.
    const answers = async (path: string, accept: string) => {
      const app = appWith({ documentation });
      const { status, type, headers } = await request(app).get(path).set('accept', accept);
      return [status, type, headers['vary']];
    };
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    expect(await answers('/nowhere', browser)).toEqual([404, 'text/html', 'Accept']);
    for (const accept of ['*/*', 'application/json'])
      expect(await answers('/nowhere', accept)).toEqual([404, 'application/json', 'Accept']);
    expect(await answers('/api/nowhere', browser)).toEqual([404, 'application/json', undefined]);
    const app = appWith({ documentation });
    const page = await request(app).get('/nowhere').set('accept', browser);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).toContain('There is no such page');
    for (const [, file = ''] of page.text.matchAll(/<link [^>]*href="([^"]*)"/g))
      expect([file, (await request(app).get(file)).status]).toEqual([file, 200]);
  });

  it('an app without documentation answers an unknown path with JSON in a browser too', async () => {
    const answer = await request(appOf()).get('/nowhere').set('accept', 'text/html');
    expect([answer.status, answer.type]).toEqual([404, 'application/json']);
  });

  it('error responses contain no link if the app serves no page of errors', async () => {
    const { body } = await request(appOf()).get('/docs');
    expect(Object.keys(body).toSorted()).toEqual(['code', 'error', 'requestId', 'retry']);
  });

  it('an app does not start if a route names a missing rate limit or guard', () => {
    const serve = things.serve;
    const unlimited = { definition: { ...read, limitedAs: 'dreams' }, serve };
    expect(() => appOf(unlimited)).toThrow('there is no budget of dreams');
    const unguarded = { definition: { ...read, credential: 'warden' }, serve };
    expect(() => appOf(unguarded)).toThrow('nothing guards the routes of the warden');
  });
});
