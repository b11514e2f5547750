import { describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@sotto/kernel';
import { Metrics } from '@sotto/telemetry';
import request from 'supertest';
import * as z from 'zod';
import {
  InFlight,
  createApp,
  implement,
  implementCached,
  type AppOptions,
  type Route,
  type RouteDefinition,
} from '../../src/index.js';

/** Errors whose message is their name. */
const errors: AppOptions['errors'] = {
  invalidPart: (_error, part) => new Error(`invalid ${part}`),
  incompleteBody: () => new Error('incomplete body'),
  invalidJson: () => new Error('invalid JSON'),
  unsupportedContentType: () => new Error('unsupported content type'),
  bodyTooLarge: () => new Error('body too large'),
  rateLimited: () => new Error('rate limited'),
  tooManyInFlight: () => new Error('too many in flight'),
  overloaded: () => new Error('overloaded'),
  routeNotFound: () => new Error('route not found'),
  methodNotAllowed: () => new Error('method not allowed'),
};

const appOf = (...routes: readonly Route[]): ReturnType<typeof createApp> =>
  createApp({
    routes,
    errors,
    clock: systemClock,
    logger: silentLogger,
    title: 'A test',
    trustedProxies: 0,
    corsOrigins: [],
    rateLimits: { perMinute: { reads: 2 }, maxClients: 10 },
    guards: {},
    closedPaths: /^\/closed/,
    inFlight: new InFlight({ inAll: 1, perClient: 1 }),
    boundedGroup: 'writes',
    metrics: new Metrics(false),
    codesOf: () => undefined,
    onError: (error: Error, _request, response, _next) => {
      response.status(400).json({ error: error.message });
    },
    stopping: new AbortController().signal,
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

describe('an app of definitions and what answers them', () => {
  it('answers, and refuses what the schemas refuse, other paths and methods, and what is over the budget', async () => {
    const app = appOf(things);
    const answer = async (method: 'get' | 'post', path: string): Promise<unknown> =>
      (await request(app)[method](path)).body;
    expect(await answer('get', '/things/abc')).toEqual({ id: 'abc' });
    expect(await answer('post', '/things/abc')).toEqual({ error: 'method not allowed' });
    expect(await answer('get', '/others')).toEqual({ error: 'route not found' });
    expect(await answer('get', '/things/abcd')).toEqual({ error: 'invalid path' });
    expect(await answer('get', '/things/abc')).toEqual({ error: 'rate limited' });
  });

  it('asks once for what is cached, by its key', async () => {
    const asked: (string | null)[] = [];
    const cached = { cacheControl: 'no-cache', freshMs: 60_000, staleMs: 60_000 };
    const route = implementCached(
      { ...read, cached },
      {
        cacheKey: ({ params }) => params.id.toLowerCase(),
        answer: async (id) => {
          asked.push(id);
          return { id };
        },
      },
    );
    const app = appOf(route);
    expect((await request(app).get('/things/a')).body).toEqual({ id: 'a' });
    expect((await request(app).get('/things/A')).body).toEqual({ id: 'a' });
    expect(asked).toEqual(['a']);
  });

  it('does not start with a route whose budget or guard is missing', () => {
    const serve = things.serve;
    const unlimited = { definition: { ...read, limitedAs: 'dreams' }, serve };
    expect(() => appOf(unlimited)).toThrow('there is no budget of dreams');
    const unguarded = { definition: { ...read, credential: 'warden' }, serve };
    expect(() => appOf(unguarded)).toThrow('nothing guards the routes of the warden');
  });
});
