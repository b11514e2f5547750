import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createSottoClient, type SottoClientOptions } from '../src/index.js';
import { answering, json } from './answers.js';

const broken = (): Error => new TypeError('fetch failed');
const done = { transaction_hash: '0x5d', execution_status: 'SUCCEEDED', revert_reason: null };
const failed = (
  status: number,
  retry: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  json({ error: 'not now', code: 'SOME_CODE', retry, requestId: '0b8f3c1e' }, status, headers);
const PATHS = {
  withdraw: '/api/relayer/withdraw',
  batch: '/api/relayer/deploy-batch',
  pools: '/api/relayer/pools',
} as const;
const withdrawal = { poolAddress: '0x1a', calldata: ['0x1', '0x2'] };
/** Time in ms that is longer than every wait between two tries. */
const LONG_MS = 120_000;

function over(service: ReturnType<typeof answering>, options: Partial<SottoClientOptions> = {}) {
  const client = createSottoClient({
    baseUrl: 'https://relayer.example',
    fetch: service.fetch,
    ...options,
  });
  return {
    withdraw: (signal?: AbortSignal) =>
      client.POST(PATHS.withdraw, {
        body: withdrawal,
        ...(signal === undefined ? {} : { signal }),
      }),
    privateAction: () =>
      client.POST('/api/relayer/private-action', {
        body: { poolAddress: '0x1a', calldata: ['0x1'], proofFacts: ['0x2'], proof: 'AA==' },
      }),
    deployBatch: () => client.POST(PATHS.batch, { body: { poolAddress: '0x1a', count: 3 } }),
    pools: () => client.GET(PATHS.pools),
  };
}

/** Advances the timers past all waits, then returns the result of the call. */
async function ended<T>(call: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [end] = await Promise.all([
    Promise.allSettled([call]),
    jest.advanceTimersByTimeAsync(LONG_MS),
  ]);
  return end[0];
}

describe('a repeated request', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it.each([
    ['the connection fails', () => broken()],
    ['the service is overloaded', () => failed(503, 'same', { 'retry-after': '2' })],
    ['the caller has asked too often', () => failed(429, 'same', { 'retry-after': '9' })],
    ['a proxy has no service', () => new Response('<html>', { status: 502 })],
    [
      'the answer breaks off',
      () =>
        new Response(
          new ReadableStream({
            start(body) {
              body.enqueue(new TextEncoder().encode('{"transac'));
              body.error(broken());
            },
          }),
        ),
    ],
  ])('a withdrawal is sent again unchanged if %s', async (_what, failure) => {
    const service = answering(failure(), failure(), json(done));
    expect(await ended(over(service).withdraw())).toMatchObject({ value: { data: done } });
    expect(await Promise.all(service.requests.map((request) => request.json()))).toEqual([
      withdrawal,
      withdrawal,
      withdrawal,
    ]);
    expect(service.requests.map(({ headers }) => headers.get('content-type'))).toEqual(
      Array.from({ length: 3 }, () => 'application/json'),
    );
  });

  it('the client repeats a read request after a broken connection', async () => {
    const service = answering(broken(), json({ pools: [] }));
    expect(await ended(over(service).pools())).toMatchObject({ value: { data: { pools: [] } } });
  });

  it('the client repeats a private action after a broken connection', async () => {
    const service = answering(broken(), json(done));
    expect(await ended(over(service).privateAction())).toMatchObject({ value: { data: done } });
    expect(service.requests).toHaveLength(2);
  });

  it('the client does not repeat a request to deploy a batch', async () => {
    const service = answering(broken(), json(done));
    expect(await ended(over(service).deployBatch())).toMatchObject({ status: 'rejected' });
    const refusing = answering(failed(503, 'same'), json(done));
    expect(await ended(over(refusing).deployBatch())).toMatchObject({
      value: { response: { status: 503 } },
    });
    expect([service.requests.length, refusing.requests.length]).toEqual([1, 1]);
  });

  it.each([
    [503, 'never'],
    [500, 'never'],
    [503, 'later'],
    [422, 'same'],
    [422, 'new-proof'],
    [404, 'never'],
  ])(
    'the client does not repeat a request after a reply with status %d and retry advice %s',
    async (status, retry) => {
      const service = answering(failed(status, retry), json(done));
      expect(await ended(over(service).withdraw())).toMatchObject({
        value: { error: { retry }, response: { status } },
      });
      expect(service.requests).toHaveLength(1);
    },
  );

  it.each([
    ['the shortest', 0, 500, 1_000],
    ['the longest', 1, 1_000, 2_000],
  ])(
    'the client repeats a request after Retry-After, or after a growing time without this header: %s',
    async (_, random, firstMs, secondMs) => {
      jest.spyOn(Math, 'random').mockReturnValue(random);
      const service = answering(
        failed(429, 'same', { 'retry-after': '7' }),
        broken(),
        broken(),
        json(done),
      );
      const call = over(service).withdraw();
      for (const [sent, waitMs] of [7_000, firstMs, secondMs].entries()) {
        await jest.advanceTimersByTimeAsync(waitMs - 1);
        expect(service.requests).toHaveLength(sent + 1);
        await jest.advanceTimersByTimeAsync(1);
        expect(service.requests).toHaveLength(sent + 2);
      }
      expect(await call).toMatchObject({ data: done });
    },
  );

  it('the client ends a request after the maximum number of tries, with the result of the last try', async () => {
    const service = answering(...Array.from({ length: 9 }, broken));
    expect(await ended(over(service).withdraw())).toMatchObject({
      reason: { message: 'fetch failed' },
    });
    expect(service.requests).toHaveLength(4);
    const refusing = answering(...Array.from({ length: 9 }, () => failed(503, 'same')));
    expect(await ended(over(refusing, { tries: 2 }).withdraw())).toMatchObject({
      value: { error: { code: 'SOME_CODE' } },
    });
    expect(refusing.requests).toHaveLength(2);
    const once = answering(broken(), json(done));
    expect(await ended(over(once, { tries: 1 }).withdraw())).toMatchObject({ status: 'rejected' });
    expect(once.requests).toHaveLength(1);
  });

  it('the client does not repeat a request if Retry-After exceeds the caller’s limit', async () => {
    const service = answering(failed(429, 'same', { 'retry-after': '31' }), json(done));
    const { response } = await over(service).withdraw();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '31']);
    const patient = answering(failed(429, 'same', { 'retry-after': '31' }), json(done));
    expect(await ended(over(patient, { maxWaitMs: 60_000 }).withdraw())).toMatchObject({
      value: { data: done },
    });
  });

  it('a repeated request ends when the caller’s signal aborts, even between two tries', async () => {
    const service = answering(failed(503, 'same', { 'retry-after': '20' }), json(done));
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 1_000);
    expect(await ended(over(service).withdraw(abort.signal))).toMatchObject({
      reason: { message: 'enough' },
    });
    expect(service.requests).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('the client rejects an endless reply and stops reading at the size limit', async () => {
    let read = 0;
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull(body) {
            read += 1;
            body.enqueue(new Uint8Array(2 ** 20));
          },
        }),
      );
    const service = answering(endless(), json(done));
    expect(await ended(over(service).withdraw())).toMatchObject({ value: { data: done } });
    const last = over(answering(endless()), { tries: 1 }).withdraw();
    expect(await ended(last)).toMatchObject({ reason: { message: 'too long' } });
    expect(read).toBeLessThan(24);
  });

  it('the client does not send a request again after the caller has aborted it', async () => {
    const abort = new AbortController();
    const requests: Request[] = [];
    const client = createSottoClient({
      baseUrl: 'https://relayer.example',
      fetch: async (request) => {
        requests.push(request);
        abort.abort(new Error('enough'));
        throw request.signal.reason;
      },
    });
    const call = client.POST(PATHS.withdraw, { body: withdrawal, signal: abort.signal });
    await expect(call).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });
});
