import { describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { ERRORS, STATUS_BY_KIND, codesOf } from '@sotto/facts';
import { InFlight } from '@sotto/http-server';
import { ROUTES } from '@sotto/routes';
import { answeringApp, callRoute } from './call-route.js';
import {
  BRIDGE_REQUESTS,
  OPERATOR_TOKEN,
  testApp,
  tokenFor,
  withServer,
  type TestAppOptions,
} from './test-app.js';

const PROXIED = 'X-Forwarded-For';
const status = '/api/relayer/pool-status?pool=0xaa1';

/** Fake that always reports more than half of the allowed requests as in flight. */
class BusyInFlight extends InFlight {
  override get isBusy(): boolean {
    return true;
  }
}

const limited = (
  perMinute: { reads?: number; quotes?: number; submissions?: number },
  app: TestAppOptions['app'] = {},
) =>
  testApp({
    app: {
      rateLimits: {
        perMinute: { reads: 1_000, quotes: 1_000, submissions: 1_000, ...perMinute },
        maxClients: 3,
      },
      ...app,
    },
  });

describe('rate limits', () => {
  it('a request over the rate limit per minute is answered 429 with a retry delay, before any work', async () => {
    const { app, useCases } = await limited({ reads: 2 });
    const answers: Response[] = [];
    for (let sent = 0; sent < 3; sent += 1) answers.push(await request(app).get(status));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 429]);
    const rejection = answers[2];
    expect(rejection?.body).toEqual({
      error: 'too many requests from this address',
      code: 'RATE_LIMITED',
      retry: 'same',
      retryAt: expect.any(Number),
      requestId: rejection?.headers['x-request-id'],
      docs: '/docs/errors#RATE_LIMITED',
    });
    expect(Number(rejection?.headers['retry-after'])).toBeGreaterThan(50);
    expect(Number(rejection?.headers['retry-after'])).toBeLessThanOrEqual(60);
    // The second request was answered from the cache, and the third request was rejected.
    expect(useCases.requested).toHaveLength(1);
  });

  it('all requests of operators share one rate limit, which is checked before any read or log line', async () => {
    const { app, useCases } = await limited({ quotes: 2 });
    const as = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
    const query = async (path: string): Promise<number> =>
      (await request(app).get(`/api/operator/${path}`).set(as)).status;
    expect([await query('submissions.csv'), await query('submissions')]).toEqual([200, 200]);
    const { requested } = useCases.operators;
    const paths = ['submissions.csv', 'submissions', 'events', 'audit-log', 'series', 'status'];
    for (const path of paths) expect([path, await query(path)]).toEqual([path, 429]);
    expect(useCases.operators.requested).toBe(requested);
    expect(await useCases.operators.log.page(null, 10)).toHaveLength(1);
    expect(useCases.operators.followOperations.open).toBe(0);
  });

  it('reads, quotes and submissions have separate rate limits, and all kinds of submissions share one rate limit', async () => {
    const { app } = await limited({ reads: 1, submissions: 2 });
    const send = async (path: string, body: object): Promise<number> =>
      (await request(app).post(path).send(body)).status;
    expect((await request(app).get(status)).status).toBe(200);
    expect((await request(app).get('/api/relayer/pools')).status).toBe(429);
    expect(await send('/api/relayer/quote', { poolAddress: '0xaa1' })).toBe(200);
    expect(await send('/api/relayer/deploy-batch', { poolAddress: '1', count: 3 })).toBe(200);
    expect(await send('/api/relayer/withdraw', { poolAddress: '1', calldata: ['1'] })).toBe(200);
    const rejection = await request(app).post('/api/relayer/private-swap').send({});
    expect([rejection.status, rejection.body.leafIndex]).toEqual([429, -1]);
  });

  it('health probes have no rate limit', async () => {
    const { app } = await limited({ reads: 1 });
    for (let sent = 0; sent < 5; sent += 1)
      expect((await request(app).get('/health/ready')).status).toBe(200);
  });

  it('requests are counted by the forwarded address only if a proxy is configured', async () => {
    const behind = await limited({ reads: 1 }, { trustedProxies: 1 });
    const open = await limited({ reads: 1 });
    const from = async ({ app }: typeof open, address: string): Promise<number> =>
      (await request(app).get(status).set(PROXIED, address)).status;
    expect([
      await from(behind, '203.0.113.1'),
      await from(behind, '203.0.113.2'),
      await from(behind, '203.0.113.1'),
    ]).toEqual([200, 200, 429]);
    // The proxy wrote the last address in the header, and the caller wrote the addresses before it.
    expect(await from(behind, '198.51.100.9, 203.0.113.1')).toBe(429);
    expect([await from(open, '203.0.113.1'), await from(open, '203.0.113.2')]).toEqual([200, 429]);
  });

  it('requests of one proxy connection are counted by the forwarded address of each request', async () => {
    const { app } = await limited({ reads: 1 }, { trustedProxies: 1 });
    await withServer(app, async (url) => {
      const statuses: number[] = [];
      for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.1']) {
        statuses.push((await fetch(`${url}${status}`, { headers: { [PROXIED]: address } })).status);
      }
      expect(statuses).toEqual([200, 200, 429]);
    });
  });

  it('addresses of one IPv6 network are counted as one caller', async () => {
    const { app } = await limited({ reads: 1 }, { trustedProxies: 1 });
    const from = async (address: string): Promise<number> =>
      (await request(app).get(status).set(PROXIED, address)).status;
    expect([
      await from('2001:db8:1:1::1'),
      await from('2001:db8:1:1:ffff::2'),
      await from('2001:db8:1:2::1'),
    ]).toEqual([200, 429, 200]);
  });

  it('S10: all addresses of one network share an additional rate limit while many requests are in flight', async () => {
    const busy = new BusyInFlight({ inAll: 100, perClient: 100 });
    const from = async (
      { app }: Awaited<ReturnType<typeof limited>>,
      address: string,
    ): Promise<number> => (await request(app).get(status).set(PROXIED, address)).status;
    const statusesOf = async (
      test: Awaited<ReturnType<typeof limited>>,
    ): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let host = 1; host <= 5; host += 1) statuses.push(await from(test, `203.0.113.${host}`));
      return [...statuses, await from(test, '198.51.100.1')];
    };
    expect(await statusesOf(await limited({ reads: 1 }, { trustedProxies: 1 }))).toEqual([
      200, 200, 200, 200, 200, 200,
    ]);
    expect(
      await statusesOf(await limited({ reads: 1 }, { trustedProxies: 1, inFlight: busy })),
    ).toEqual([200, 200, 200, 200, 429, 200]);
  });

  it('T9 a network that sends 400 unknown transfer ids does not use up the bridge requests of other networks', async () => {
    const { app, useCases } = await limited({}, { trustedProxies: 1 });
    const { bridge, clock } = useCases;
    let requests = 0;
    const statusOf = bridge.status.bind(bridge);
    bridge.status = async (id) => {
      requests += 1;
      return statusOf(id);
    };
    const query = async (id: string, address: string): Promise<Response> =>
      request(app).get('/api/bridge/status').query({ transaction_id: id }).set(PROXIED, address);
    const attack = async (round: number): Promise<void> => {
      for (let id = 0; id < 400; id += 1)
        await query(`junk-${round}-${id}`, `203.0.113.${1 + (id % 40)}`);
    };
    await attack(0);
    expect(requests).toBe(BRIDGE_REQUESTS / 2);
    expect((await query('at-once', '198.51.100.9')).body.code).toBe('TRANSFER_NOT_FOUND');
    const early = await query('junk', '203.0.113.99');
    expect([early.status, early.body.code]).toEqual([503, 'OVERLOADED']);
    const waitMs = Number(early.headers['retry-after']) * 1_000;

    clock.advance(waitMs);
    for (let id = 0; id < BRIDGE_REQUESTS / 2; id += 1)
      expect((await query(`honest-${id}`, `198.51.${id}.9`)).body.code).toBe('TRANSFER_NOT_FOUND');
    requests = 0;
    await attack(1);
    expect(requests).toBe(1);
    expect((await query('honest', '198.51.100.9')).body.code).toBe('TRANSFER_NOT_FOUND');
  });

  it('T9 a caller gets at least half of its bridge requests although ten other networks send requests without pause', async () => {
    const { app, useCases } = await limited({}, { trustedProxies: 1 });
    const query = async (id: string, address: string): Promise<Response> =>
      request(app).get('/api/bridge/status').query({ transaction_id: id }).set(PROXIED, address);
    const codes: string[] = [];
    for (let second = 0; second < 30; second += 1) {
      for (let strike = 0; strike < 40; strike += 1)
        await query(`junk-${second}-${strike}`, `203.0.${strike % 10}.${1 + (strike % 4)}`);
      codes.push((await query(`honest-${second}`, '198.51.100.9')).body.code);
      useCases.clock.advance(1_000);
    }
    const served = codes.filter((code) => code === 'TRANSFER_NOT_FOUND');
    expect(served.length).toBeGreaterThanOrEqual(codes.length / 2);
  });

  it('O2: requests with unknown paths use up the rate limit for reads, but not the limit for probes', async () => {
    const { app, logged } = await limited({ reads: 12 }, { trustedProxies: 1 });
    const paths = [
      '/none',
      '/api/relayer/none',
      '/api/relayer/submissions/%zz',
      '/api/relayer/quote',
    ];
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        request(app)
          .get(paths[index % 4] ?? '')
          .set(PROXIED, '203.0.113.77'),
      ),
    );
    const refused = sent.map((answer) => answer.status).filter((code) => code !== 429);
    expect(refused).toHaveLength(12);
    expect(refused.every((code) => [400, 404, 405].includes(code))).toBe(true);
    const from = async (path: string, address: string): Promise<number> =>
      (await request(app).get(path).set(PROXIED, address)).status;
    expect(await from(status, '203.0.113.77')).toBe(429);
    expect(await from('/health/live', '203.0.113.77')).toBe(200);
    expect(await from(status, '203.0.113.78')).toBe(200);

    // Each rejected request has its own log line, or it is counted in the summary line `requests
    // without a line`.
    const lines = (): readonly Readonly<Record<string, unknown>>[] =>
      logged.map((line) => JSON.parse(line));
    const counted = (): number =>
      lines()
        .filter(({ message }) => message === 'requests without a line')
        .flatMap((line) => Object.values(line).filter((value) => typeof value === 'number'))
        .reduce((sum, count) => sum + count, 0);
    const written = (): number =>
      lines().filter((line) => line['message'] === 'request' && line['status'] !== 200).length;
    while (written() + counted() < 61) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written() + counted()).toBe(61);
  });

  it('the log contains no caller’s address', async () => {
    const { app, logged } = await limited({ reads: 1 }, { trustedProxies: 1 });
    for (let sent = 0; sent < 2; sent += 1)
      await request(app).get(status).set(PROXIED, '203.0.113.77');
    expect(logged.join('')).toContain('RATE_LIMITED');
    expect(logged.join('')).not.toMatch(/203\.0\.113|127\.0\.0\.1/);
  });
});

describe('other origins', () => {
  const ORIGIN = 'https://app.example';
  const open = (): ReturnType<typeof testApp> => testApp({ app: { corsOrigins: [ORIGIN] } });

  it('web pages of the configured origins can read responses and the response headers that clients need', async () => {
    const { app } = await open();
    const { headers } = await request(app).get(status).set('Origin', ORIGIN);
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    const exposed = headers['access-control-expose-headers']?.split(',');
    expect(exposed).toEqual(expect.arrayContaining(['Location', 'Retry-After', 'X-Request-Id']));
    expect(headers['vary']).toContain('Origin');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('web pages of the configured origins can read error responses too', async () => {
    const { app } = await open();
    const response = await request(app).get('/none').set('Origin', ORIGIN);
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([
      404,
      ORIGIN,
    ]);
  });

  it('a CORS preflight request of a configured origin is answered', async () => {
    const { app } = await open();
    const response = await request(app).options('/api/relayer/withdraw').set({
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,prefer',
    });
    expect(response.status).toBe(204);
    expect(response.headers['access-control-allow-methods']).toContain('POST');
    expect(response.headers['access-control-allow-headers']).toBe(
      'Content-Type,prefer,sotto-notify,x-paymaster-api-key',
    );
  });

  it.each(['https://app.example.evil', 'http://app.example', 'https://app.example:8443', 'null'])(
    'web pages of the unconfigured origin %s cannot read responses',
    async (origin) => {
      const { app } = await open();
      expect((await request(app).get(status).set('Origin', origin)).headers).not.toHaveProperty(
        'access-control-allow-origin',
      );
    },
  );

  it('no web page of another origin can read responses if no origins are configured', async () => {
    const { app } = await testApp();
    const { headers } = await request(app).get(status).set('Origin', ORIGIN);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(['capacitor://localhost', 'tauri://localhost', `chrome-extension://${'ab'.repeat(16)}`])(
    'I4 the origin of an app or browser extension can be configured: %s',
    async (origin) => {
      const { app } = await testApp({ app: { corsOrigins: [ORIGIN, origin] } });
      const { headers } = await request(app).get(status).set('Origin', origin);
      expect(headers['access-control-allow-origin']).toBe(origin);
    },
  );

  it.each([ORIGIN, 'ionic://localhost', 'null'])(
    'I4 web pages of any origin can read responses and send preflight requests if all origins are allowed: %s',
    async (origin) => {
      const { app } = await testApp({ app: { corsOrigins: ['*'] } });
      const preflight = await request(app).options('/api/relayer/withdraw').set({
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,prefer',
      });
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
        204,
        '*',
      ]);
      for (const path of [status, '/none', '/openapi.json']) {
        const { headers } = await request(app).get(path).set('Origin', origin);
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers['access-control-expose-headers']?.split(',')).toEqual(
          expect.arrayContaining(['Location', 'Retry-After', 'X-Request-Id']),
        );
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
      }
    },
  );

  const guarded = ROUTES.filter((definition) => 'credential' in definition);
  describe.each(guarded)('$method $path', (definition) => {
    it.each([['*'], [ORIGIN]])(
      'I4 no web page of another origin can read a route that requires a credential, whichever origins are configured: %s',
      async (listed) => {
        const test = await answeringApp({ app: { corsOrigins: [listed] } });
        const authorization = `Bearer ${tokenFor(definition.credential)}`;
        const path = definition.path.replaceAll(/:\w+/g, 'x');
        const preflight = await request(test.app).options(path).set({
          Origin: ORIGIN,
          'Access-Control-Request-Method': definition.method.toUpperCase(),
          'Access-Control-Request-Headers': 'authorization',
        });
        const served = await callRoute(test, definition, { authorization, origin: ORIGIN });
        const refused = await callRoute(test, definition, { origin: ORIGIN });
        const answers = [preflight, served, refused];
        expect(answers.map((answer) => answer.status)).toEqual([405, 200, 401]);
        for (const { headers } of answers)
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual(
            [],
          );
      },
    );
  });

  it('the routes that web pages of other origins cannot read include the routes of the curator and of the operator', () => {
    const paths = guarded.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/api/curator', '/api/operator/status']));
    expect(new Set(guarded.map(({ credential }) => credential))).toEqual(
      new Set(['curator', 'operator']),
    );
  });
});

describe('GET /docs/errors', () => {
  it('the page /docs/errors loads files only from this service, and runs no scripts', async () => {
    const { app } = await testApp();
    const page = await request(app).get('/docs/errors');
    const links = [...page.text.matchAll(/<link [^>]*href="([^"]*)"/g)].map(
      ([, link = '']) => link,
    );
    expect(links).toEqual(['/docs/icon.svg', '/docs/page.css']);
    for (const link of links)
      expect([link, (await request(app).get(link)).status]).toEqual([link, 200]);
    expect(page.headers['content-security-policy']).not.toMatch(/https?:|script-src|unsafe|\*/);
  });

  it('S15 loads of the page /docs/errors and reads of the API have separate rate limits', async () => {
    const { app } = await limited({ reads: 1 });
    for (let loads = 0; loads < 5; loads += 1)
      expect((await request(app).get('/docs/errors')).status).toBe(200);
    expect((await request(app).get(status)).status).toBe(200);
    expect((await request(app).get(status)).status).toBe(429);
    let last = 200;
    for (let loads = 0; loads < 200 && last === 200; loads += 1)
      last = (await request(app).get('/docs/errors')).status;
    expect(last).toBe(429);
  });

  it('the page /docs/errors has a section for every error code, with its status and remedy', async () => {
    const { app } = await testApp();
    const { status: answered, type, text, headers } = await request(app).get('/docs/errors');
    expect([answered, type]).toEqual([200, 'text/html']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const sections = text.split('<section ').slice(1);
    expect(sections.map((section) => /^id="([A-Z0-9_]+)">/.exec(section)?.[1])).toEqual(
      codesOf(ERRORS).toSorted(),
    );
    const { kind } = ERRORS.FEE_TOO_LOW;
    expect(sections.find((section) => section.startsWith('id="FEE_TOO_LOW"'))).toContain(
      `Status ${STATUS_BY_KIND[kind]},`,
    );
    const ids = new Set([...text.matchAll(/ id="(\w+)"/g)].map(([, id]) => id));
    const inside = [...text.matchAll(/href="#(\w+)"/g)].map(([, id]) => id);
    expect(inside.filter((id) => !ids.has(id))).toEqual([]);
    expect(inside.length).toBeGreaterThan(sections.length);
  });

  it.each(['/docs/package.json', '/docs/../package.json', '/docs/index.html'])(
    'the route /docs does not serve %s',
    async (path) => {
      const { app } = await testApp();
      expect((await request(app).get(path)).status).toBe(404);
    },
  );
});
