import { beforeEach, describe, expect, it } from '@jest/globals';
import { NodeUnavailable } from '@sotto/adapter-starknet';
import type { PoolStatus } from '@sotto/relayer-core';
import request, { type Response } from 'supertest';
import { poolList, poolStatus } from './pools-fixture.js';
import { testApp, withServer, type TestApp } from './test-app.js';

/** Age in ms up to which the pool status is fresh, as its route defines it. */
const FRESH_MS = 500;
const STALE_MS = 2_000;
const PATH = '/api/relayer/pool-status';
const REQUESTED = `${PATH}?pool=0xaa1`;

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

const get = (
  target = REQUESTED,
  headers: Readonly<Record<string, string>> = {},
): PromiseLike<Response> => request(test.app).get(target).set(headers);
const later = (ms: number): void => test.useCases.clock.advance(ms);
const down = async (): Promise<never> => {
  throw new NodeUnavailable();
};
const nextIs = (nextIndex: number): void => {
  test.useCases.status = async () => ({ ...poolStatus, nextIndex });
};
const shownIndex = async (target = REQUESTED): Promise<unknown> =>
  (await get(target)).body.nextIndex;
const reads = (): number => test.useCases.requested.length;
const logged = (message: string): number =>
  test.logged.filter((line) => line.includes(message)).length;

/** Blocks the next reads of the pool status until the test releases them. */
function hold(): { readonly answer: (status: PoolStatus) => void } {
  const held = Promise.withResolvers<PoolStatus>();
  test.useCases.status = () => held.promise;
  return { answer: held.resolve };
}

/** Waits until a background read has ended, which starts when the cached response is sent. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

describe('a cached answer', () => {
  it('all callers get a fresh cached response from a single read', async () => {
    const first = await get();
    nextIs(99);
    later(FRESH_MS - 1);
    const second = await get();
    expect([second.text, second.headers['etag']]).toEqual([first.text, first.headers['etag']]);
    await settled();
    expect(reads()).toBe(1);
  });

  it('concurrent callers share one read of the chain if no response is cached', async () => {
    const held = hold();
    await withServer(test.app, async (url) => {
      const answers = Promise.all(
        Array.from({ length: 50 }, async () => (await fetch(`${url}${REQUESTED}`)).json()),
      );
      while (reads() === 0) await settled();
      await settled();
      held.answer(poolStatus);
      expect(new Set((await answers).map((body) => JSON.stringify(body))).size).toBe(1);
    });
    expect(reads()).toBe(1);
  });

  it('a stale cached response is returned while a single renewal runs in the background', async () => {
    nextIs(1);
    await get();
    const held = hold();
    later(FRESH_MS);
    expect(await Promise.all(Array.from({ length: 50 }, () => shownIndex()))).toEqual(
      Array.from({ length: 50 }, () => 1),
    );
    later(FRESH_MS);
    expect(await shownIndex()).toBe(1);
    expect(reads()).toBe(2);
    held.answer({ ...poolStatus, nextIndex: 2 });
    await settled();
    expect(await shownIndex()).toBe(2);
  });

  it('a caller waits for a new response if the cached response is older than `staleMs`', async () => {
    nextIs(1);
    await get();
    nextIs(2);
    later(STALE_MS);
    expect(await shownIndex()).toBe(2);
  });

  it('the age of a cached response begins when the read of this response begins', async () => {
    const held = hold();
    const first = get().then(({ body }) => body.nextIndex);
    while (reads() === 0) await settled();
    later(STALE_MS);
    held.answer({ ...poolStatus, nextIndex: 1 });
    expect(await first).toBe(1);
    nextIs(2);
    expect(await shownIndex()).toBe(2);
  });

  it('a cached response is returned until its maximum age while its renewals fail', async () => {
    nextIs(1);
    await get();
    test.useCases.status = down;
    for (const expected of [2, 3]) {
      later(FRESH_MS);
      expect([await shownIndex(), await shownIndex()]).toEqual([1, 1]);
      await settled();
      expect(reads()).toBe(expected);
    }
    later(FRESH_MS);
    await settled();
    expect(reads()).toBe(3);
    expect(logged('a kept answer can not be renewed')).toBe(1);
    later(FRESH_MS);
    const failed = await get();
    expect([failed.status, failed.body.code, failed.headers['cache-control']]).toEqual([
      503,
      'NODE_UNAVAILABLE',
      'no-store',
    ]);
    nextIs(2);
    expect(await shownIndex()).toBe(2);
  });

  it('a response whose renewal has failed is not renewed again at once', async () => {
    await get();
    test.useCases.status = down;
    later(FRESH_MS);
    for (let requested = 0; requested < 5; requested += 1) {
      await get();
      await settled();
    }
    expect(reads()).toBe(2);
  });

  it('logs a bug in the renewal of a cached response, and does not cache the failure', async () => {
    await get();
    test.useCases.status = async () => ({ ...poolStatus, maxFeeBps: -1 });
    later(FRESH_MS);
    expect((await get()).status).toBe(200);
    await settled();
    expect(logged('the renewal of a kept answer has a bug')).toBe(1);
    later(STALE_MS);
    expect([(await get()).status, (await get()).status]).toEqual([500, 500]);
    expect(reads()).toBe(4);
  });

  it.each([3_600_000, -3_600_000])(
    'the age of a cached response is not affected when the machine’s clock is set by %d ms',
    async (stepMs) => {
      nextIs(1);
      await get();
      nextIs(2);
      test.useCases.clock.step(stepMs);
      expect([await shownIndex(), reads()]).toEqual([1, 1]);
      later(FRESH_MS);
      expect(await shownIndex()).toBe(1);
      await settled();
      expect([await shownIndex(), reads()]).toEqual([2, 2]);
    },
  );
});

describe('cached requests', () => {
  it('different requests never share a cached response', async () => {
    test.useCases.status = async () => ({ ...poolStatus, nextIndex: reads() });
    expect([await shownIndex(), await shownIndex(`${PATH}?pool=0xaa2`)]).toEqual([1, 2]);
    expect([await shownIndex(), await shownIndex(`${PATH}?pool=0xaa2`)]).toEqual([1, 2]);
    const estimates = [
      await get('/api/relayer/fee-estimate'),
      await get('/api/relayer/fee-estimate?pool=0xaa1'),
    ];
    expect(estimates.map(({ status }) => status)).toEqual([200, 200]);
    expect(test.useCases.requested).toEqual(['0xaa1', '0xaa2', null, '0xaa1']);
  });

  it('equal requests with different spellings share a cached response', async () => {
    for (const pool of ['0xaa1', '0x00AA1', '2721'])
      expect((await get(`${PATH}?pool=${pool}`)).status).toBe(200);
    expect(reads()).toBe(1);
  });

  it.each(['?pool=0xaa1&pool=0xaa1', '?pool=0xaa1&block=1', '?pool=x', ''])(
    'an invalid request is rejected although a valid one is cached: %s',
    async (query) => {
      await get();
      expect([
        (await get(`${PATH}${query}`)).status,
        (await get(`${PATH}${query}`)).status,
      ]).toEqual([400, 400]);
    },
  );
});

const count = (method: string, status: number): string =>
  `sotto_http_request_seconds_count{method="${method}",route="${PATH}",status="${status}"}`;
const comparable = ({ headers }: Response): object => ({
  ...headers,
  'x-request-id': null,
  date: null,
});

describe('an answer from the cache', () => {
  it('a cached response has the same headers as a new response, except the request id', async () => {
    const first = await get();
    const second = await get();
    expect(comparable(second)).toEqual(comparable(first));
    expect(second.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=2',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('a cached response writes a log line', async () => {
    await get();
    const { headers } = await get();
    const line: object = JSON.parse(test.logged.at(-1) ?? '{}');
    expect(line).toMatchObject({
      requestId: headers['x-request-id'],
      method: 'GET',
      route: PATH,
      status: 200,
      message: 'request',
    });
    expect(test.logged.join('')).not.toContain('0xaa1');
  });

  it('a cached response is counted and timed in the metrics like any other response', async () => {
    const { etag = '' } = (await get()).headers;
    await get();
    await get(REQUESTED, { 'If-None-Match': etag });
    await request(test.app).head(REQUESTED);
    const lines = (await test.metrics.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `${count('GET', 200)} 2`,
        `${count('GET', 304)} 1`,
        `${count('HEAD', 200)} 1`,
      ]),
    );
  });

  it('a cached response is not returned to requests with other methods', async () => {
    await get();
    const posted = await request(test.app).post(REQUESTED);
    expect([posted.body.code, posted.headers['allow']]).toEqual([
      'METHOD_NOT_ALLOWED',
      'GET, HEAD',
    ]);
  });

  it('a caller with a valid ETag gets 304 without a body, for new and cached responses', async () => {
    const { etag = '' } = (await get()).headers;
    const strong = etag.replace('W/', '');
    for (const known of [etag, strong, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await get(REQUESTED, { 'If-None-Match': known });
      expect([status, text, headers['etag'], headers['cache-control']]).toEqual([
        304,
        '',
        etag,
        'public, max-age=2',
      ]);
      expect(headers).not.toHaveProperty('content-type');
    }
    expect((await get(`${PATH}?pool=0x0aa1`, { 'If-None-Match': etag })).status).toBe(304);
    expect((await get(REQUESTED, { 'If-None-Match': '"other"' })).status).toBe(200);
    expect(
      (await get(REQUESTED, { 'If-None-Match': etag, 'Cache-Control': 'no-cache' })).status,
    ).toBe(200);
  });

  it('a HEAD request gets the length of the cached response, but no body', async () => {
    const { text } = await get();
    for (const target of [REQUESTED, `${PATH}?pool=0x0aa1`]) {
      const head = await request(test.app).head(target);
      expect([head.status, head.text, head.headers['content-length']]).toEqual([
        200,
        undefined,
        String(text.length),
      ]);
    }
  });

  it('a response with non-ASCII letters is returned unchanged from the cache', async () => {
    test.useCases.list = async () => ({
      ...poolList,
      pools: poolList.pools.map((pool) => ({ ...pool, key: 'größer €' })),
    });
    for (let requested = 0; requested < 2; requested += 1)
      expect((await get('/api/relayer/pools')).body.pools[0].key).toBe('größer €');
  });

  it('a cached response is counted in the rate limit of its caller', async () => {
    const perMinute = { reads: 3, quotes: 1, submissions: 1 };
    test = await testApp({ app: { rateLimits: { perMinute, maxClients: 10 } } });
    const statuses: number[] = [];
    for (let requested = 0; requested < 5; requested += 1) statuses.push((await get()).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('web pages of the configured origins can read a cached response', async () => {
    const origin = 'https://app.example';
    test = await testApp({ app: { corsOrigins: [origin] } });
    await get();
    expect((await get()).headers['vary']).toBe('Origin');
    const listed = await get(REQUESTED, { Origin: origin });
    expect([listed.headers['access-control-allow-origin'], listed.headers['vary']]).toEqual([
      origin,
      'Origin',
    ]);
    expect((await get(REQUESTED, { Origin: 'https://other.example' })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    expect(reads()).toBe(1);
  });

  it('web pages of any origin can read a cached response if all origins are allowed', async () => {
    test = await testApp({ app: { corsOrigins: ['*'] } });
    const answers = [
      await get(),
      await get(),
      await get(REQUESTED, { Origin: 'https://app.example' }),
      await get(REQUESTED, { Origin: 'capacitor://localhost' }),
    ];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
      });
      expect(headers).not.toHaveProperty('vary');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    expect(reads()).toBe(1);
  });
});
