import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  UpstreamAnswered,
  UpstreamTimedOut,
  UpstreamUnreachable,
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '@sotto/http-client';
import type { Clock } from '@sotto/kernel';
import { LoopbackUpstream, type Handler } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';

/** Clock that ends every wait at once and records the duration of the wait. */
class HastyClock implements Clock {
  readonly waitsMs: number[] = [];
  #nowMs = 1_800_000_000_000;

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  async sleep(ms: number): Promise<void> {
    this.waitsMs.push(ms);
    this.#nowMs += ms;
  }
}

const cut: Handler = (_response, { socket }) => socket.destroy();
const answer =
  (status: number, retryAfter?: string): Handler =>
  (response) =>
    respond(response, status, retryAfter);

function respond(response: ServerResponse, status: number, retryAfter: string | undefined): void {
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.writeHead(status).end('text');
}

describe('retry', () => {
  let upstream: LoopbackUpstream;
  let clock: HastyClock;
  let baseUrl: string;
  let clients: HttpClient[];

  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    baseUrl = upstream.url;
    clock = new HastyClock();
    clients = [];
  });
  afterEach(async () => {
    for (const made of clients) made.close();
    await upstream.stop();
  });

  const client = (options: Partial<HttpClientOptions> = {}): HttpClient => {
    const retry = { maxAttempts: 4, firstDelayMs: 100, maxDelayMs: 250 };
    const made = createHttpClient({
      name: 'shop',
      baseUrl,
      timeoutMs: 5_000,
      maxResponseBytes: 100,
      clock,
      retry,
      ...options,
    });
    clients.push(made);
    return made;
  };
  /**
   * Makes the upstream use these handlers, one for each request. The last handler is used for all
   * further requests.
   */
  const script = (...handlers: readonly Handler[]): void => {
    let next = 0;
    upstream.handler = (response, request) => {
      const handler = handlers[Math.min(next, handlers.length - 1)];
      next += 1;
      handler?.(response, request);
    };
  };

  it('the HTTP client retries after broken connections and busy responses until a request succeeds', async () => {
    script(cut, answer(503), answer(429), answer(200));
    expect(await client().get({ path: 'x' })).toMatchObject({ status: 200 });
    expect(upstream.requests).toHaveLength(4);
  });

  it('the HTTP client rejects with the error of the last attempt after the maximum number of attempts', async () => {
    script(cut, cut, cut, answer(502));
    const error = await failure(client().get({ path: 'x' }));
    expect(error).toBeInstanceOf(UpstreamAnswered);
    expect(error).toMatchObject({ status: 502 });
    expect(upstream.requests).toHaveLength(4);
  });

  it('the retry delays are random, and their maximum doubles with each retry up to a limit', async () => {
    script(cut);
    for (let round = 0; round < 10; round += 1) await failure(client().get({ path: 'x' }));
    const bounds = [100, 200, 250];
    expect(clock.waitsMs).toHaveLength(30);
    clock.waitsMs.forEach((waitMs, index) => {
      expect(waitMs).toBeGreaterThanOrEqual(0);
      expect(waitMs).toBeLessThan(bounds[index % 3] ?? 0);
    });
    expect(new Set(clock.waitsMs).size).toBeGreaterThan(20);
    // If the maximum of the delay were smaller, no delay would be in the upper half of the range.
    expect(Math.max(...clock.waitsMs)).toBeGreaterThan(125);
  });

  it('the HTTP client waits for the time in Retry-After if this time is at most the maximum delay', async () => {
    script(answer(429, '1'), answer(503, '2'), answer(200));
    await client({ retry: { maxAttempts: 3, maxDelayMs: 2_000 } }).get({ path: 'x' });
    expect(clock.waitsMs).toEqual([1_000, 2_000]);
  });

  it('the HTTP client sends no further request if Retry-After exceeds the maximum delay', async () => {
    script(answer(429, '3'), answer(200));
    const error = await failure(
      client({ retry: { maxAttempts: 3, maxDelayMs: 2_000 } }).get({ path: 'x' }),
    );
    expect(error).toMatchObject({ status: 429, retryAfterSeconds: 3 });
    expect(upstream.requests).toHaveLength(1);
  });

  it('the HTTP client does not retry if the delay would end after the deadline', async () => {
    script(answer(503, '1'), answer(200));
    const retry = { maxAttempts: 3, maxDelayMs: 2_000 };
    expect(await failure(client({ retry, timeoutMs: 1_000 }).get({ path: 'x' }))).toMatchObject({
      status: 503,
    });
    expect(clock.waitsMs).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('the deadline of a call applies to the sum of all its attempts', async () => {
    script(cut, () => {});
    expect(await failure(client({ timeoutMs: 1_500 }).get({ path: 'x' }))).toBeInstanceOf(
      UpstreamTimedOut,
    );
    expect(upstream.requests).toHaveLength(2);
  });

  it.each([200, 302, 400, 401, 404, 500, 501])(
    'the HTTP client does not retry after a response with status %d',
    async (status) => {
      script(answer(status));
      await client()
        .get({ path: 'x' })
        .catch(() => {});
      expect(upstream.requests).toHaveLength(1);
    },
  );

  it('the HTTP client does not retry after a response that is too large or too late', async () => {
    script((response) => response.end('x'.repeat(101)));
    await failure(client().get({ path: 'x' }));
    script(() => {});
    await failure(client().get({ path: 'x', timeoutMs: 100 }));
    expect(upstream.requests).toHaveLength(2);
  });

  it.each([
    ['cut', cut],
    ['503', answer(503)],
    ['429', answer(429, '0')],
  ])('the HTTP client never retries a POST that is not idempotent (%s)', async (_what, handler) => {
    script(handler);
    await failure(client().postJson({ path: 'x', body: {} }));
    await failure(client().post({ body: new Uint8Array(1), contentType: 'text/plain' }));
    expect(upstream.requests).toHaveLength(2);
  });

  it('the HTTP client retries an idempotent POST with the same body', async () => {
    script(answer(503), answer(200));
    await client().postJson({ path: 'x', body: { a: 1 }, idempotent: true });
    expect(upstream.requests.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('the HTTP client by default retries only once, after a broken connection', async () => {
    const made = createHttpClient({
      name: 'shop',
      baseUrl,
      timeoutMs: 5_000,
      maxResponseBytes: 100,
      clock,
    });
    clients.push(made);
    script(cut);
    expect(await failure(made.get({ path: 'x' }))).toBeInstanceOf(UpstreamUnreachable);
    expect(upstream.requests).toHaveLength(2);
    expect(clock.waitsMs).toEqual([0]);
    script(answer(503));
    await failure(made.get({ path: 'x' }));
    expect(upstream.requests).toHaveLength(3);
  });
});
