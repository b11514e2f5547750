import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  UpstreamAnswered,
  UpstreamPaused,
  UpstreamUnreachable,
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  type HttpClientOptions,
} from '@sotto/http-client';
import { LoopbackUpstream, type Handler } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';

const PAUSE_MS = 10_000;
const cut: Handler = (_response, { socket }) => socket.destroy();
const answer =
  (status: number): Handler =>
  (response) =>
    response.writeHead(status).end('text');

describe('breaker', () => {
  let upstream: LoopbackUpstream;
  let baseUrl: string;
  let clients: HttpClient[];
  let nowMs: number;

  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    baseUrl = upstream.url;
    clients = [];
    nowMs = 1_800_000_000_000;
    // The breaker's library accepts no clock, so the test replaces Date.now.
    jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const made of clients) made.close();
    await upstream.stop();
  });

  const client = (options: Partial<HttpClientOptions> = {}): HttpClient => {
    const breaker = { failures: 3, pauseMs: PAUSE_MS };
    const made = createHttpClient({
      name: 'shop',
      baseUrl,
      timeoutMs: 2_000,
      maxResponseBytes: 100,
      breaker,
      ...options,
    });
    clients.push(made);
    return made;
  };
  /**
   * Returns the results of consecutive calls. During all these calls, the upstream responds with
   * the same handler.
   */
  const query = async (
    subject: HttpClient,
    handler: Handler,
    times = 1,
  ): Promise<readonly unknown[]> => {
    upstream.handler = handler;
    const results: unknown[] = [];
    for (let call = 0; call < times; call += 1) {
      const path = 'x';
      results.push(await subject.postJson({ path, body: {} }).catch((error: unknown) => error));
    }
    return results;
  };
  const trip = async (subject: HttpClient): Promise<void> => {
    await query(subject, answer(503), 3);
    upstream.requests.length = 0;
  };

  it.each([
    ['a broken connection', cut],
    ['500', answer(500)],
    ['503', answer(503)],
    ['429', answer(429)],
    ['silence', () => {}],
  ])(
    'the breaker blocks requests after three consecutive failures of the kind %s',
    async (_what, handler) => {
      const subject = client({ timeoutMs: 500 });
      const results = await query(subject, handler, 3);
      for (const result of results) expect(result).not.toBeInstanceOf(UpstreamPaused);
      const [paused] = await query(subject, answer(200));
      expect(paused).toBeInstanceOf(UpstreamPaused);
      expect(paused).toMatchObject({
        code: 'UPSTREAM_PAUSED',
        kind: 'unavailable',
        retryAfterSeconds: 10,
      });
      // On a busy machine, a request may time out before it reaches the server.
      expect(upstream.requests.length).toBeLessThanOrEqual(3);
    },
  );

  it.each([200, 302, 400, 404])(
    'a response with status %d resets the count of consecutive failures',
    async (status) => {
      const subject = client();
      await query(subject, answer(503), 2);
      await query(subject, answer(status));
      await query(subject, answer(503), 2);
      const [result] = await query(subject, answer(200));
      expect(result).toMatchObject({ status: 200 });
    },
  );

  it('a response with status 500 is counted as a failure, even if its body is returned to the caller', async () => {
    const subject = client();
    upstream.handler = answer(500);
    for (let call = 0; call < 3; call += 1) await subject.get({ path: 'x', answers: [500] });
    expect(await failure(subject.get({ path: 'x', answers: [500] }))).toBeInstanceOf(
      UpstreamPaused,
    );
  });

  it('a blocked call reports how long the breaker’s pause will last', async () => {
    const subject = client();
    await trip(subject);
    nowMs += PAUSE_MS - 2_500;
    expect((await query(subject, answer(200)))[0]).toMatchObject({ retryAfterSeconds: 3 });
    nowMs += 2_499;
    expect((await query(subject, answer(200)))[0]).toMatchObject({ retryAfterSeconds: 1 });
    expect(upstream.requests).toHaveLength(0);
  });

  it('the breaker admits all requests again after one successful trial request', async () => {
    const subject = client();
    await trip(subject);
    nowMs += PAUSE_MS;
    const results = await query(subject, answer(200), 3);
    for (const result of results) expect(result).toMatchObject({ status: 200 });
    await query(subject, answer(503), 2);
    expect((await query(subject, answer(200)))[0]).toMatchObject({ status: 200 });
  });

  it('a failed trial request begins a new pause', async () => {
    const subject = client();
    await trip(subject);
    nowMs += PAUSE_MS;
    const [tried, paused] = await query(subject, cut, 2);
    expect(tried).toBeInstanceOf(UpstreamUnreachable);
    expect(paused).toBeInstanceOf(UpstreamPaused);
    expect(upstream.requests).toHaveLength(1);
    nowMs += PAUSE_MS;
    expect((await query(subject, answer(200)))[0]).toMatchObject({ status: 200 });
  });

  it('the breaker rejects other calls at once while its trial request is in flight', async () => {
    const subject = client({ timeoutMs: 5_000 });
    await trip(subject);
    nowMs += PAUSE_MS;
    const held: (() => void)[] = [];
    const reached = new Promise<void>((resolve) => {
      upstream.handler = (response) => {
        held.push(() => response.end());
        resolve();
      };
    });
    const tried: Promise<HttpAnswer> = subject.get({ path: 'x' });
    await reached;
    const error = await failure(subject.get({ path: 'x' }));
    expect(error).toBeInstanceOf(UpstreamPaused);
    expect(error).toMatchObject({ retryAfterSeconds: 1 });
    for (const release of held) release();
    expect(await tried).toMatchObject({ status: 200 });
    expect(upstream.requests).toHaveLength(1);
  });

  it('a call stops its retries when the breaker opens', async () => {
    const subject = client({ retry: { maxAttempts: 10, firstDelayMs: 1 } });
    upstream.handler = answer(503);
    await failure(subject.get({ path: 'x' }));
    expect(upstream.requests).toHaveLength(3);
  });

  it('each HTTP client has a separate breaker', async () => {
    await trip(client());
    expect((await query(client(), answer(200)))[0]).toMatchObject({ status: 200 });
  });

  it('an HTTP client has no breaker unless one is configured', async () => {
    const plain = createHttpClient({
      name: 'shop',
      baseUrl,
      timeoutMs: 2_000,
      maxResponseBytes: 100,
    });
    clients.push(plain);
    for (const result of await query(plain, answer(503), 12))
      expect(result).toBeInstanceOf(UpstreamAnswered);
    expect(upstream.requests).toHaveLength(12);
  });
});
