import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SottoRequestFailed, createSottoClient, waitForSubmission } from '../src/index.js';
import { answering, failure, json } from './answers.js';

const location = '/api/relayer/submissions/Zk3vQ0m1T7a8b9c0d1e2fA';
const underWay = (seconds: string): Response =>
  json({ execution_status: 'UNKNOWN' }, 200, { 'retry-after': seconds });
const done = { state: 'succeeded', execution_status: 'SUCCEEDED', finality: 'PRE_CONFIRMED' };
const clientOf = ({ fetch }: ReturnType<typeof answering>) =>
  createSottoClient({ baseUrl: 'https://relayer.example', fetch });

const urlsOf = ({ requests }: ReturnType<typeof answering>): readonly string[] =>
  requests.map(({ url }) => url.replace('https://relayer.example', ''));

describe('waiting for a submission', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('waitForSubmission polls until the outcome is known, with a pause of Retry-After before each poll', async () => {
    const service = answering(underWay('5'), underWay('2'), json(done));
    const waiting = waitForSubmission(clientOf(service), location);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(service.requests).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(service.requests).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await waiting).toEqual(done);
    expect(new Set(service.requests.map(({ url }) => url))).toEqual(
      new Set([`https://relayer.example${location}`]),
    );
  });

  it('waitForSubmission polls again after the Retry-After of every temporary failure', async () => {
    const service = answering(
      json({ ...failure, code: 'RATE_LIMITED' }, 429, { 'retry-after': '30' }),
      json({ ...failure, code: 'LEDGER_UNAVAILABLE' }, 503, { 'retry-after': '1' }),
      json(done),
    );
    const waiting = waitForSubmission(clientOf(service), `https://relayer.example${location}`);
    await jest.advanceTimersByTimeAsync(31_000);
    expect(await waiting).toEqual(done);
  });

  it.each<readonly [string, () => Response | Error]>([
    ['no connection', () => new TypeError('fetch failed')],
    ['a defect of the service', () => json({ ...failure, code: 'INTERNAL' }, 500)],
    ['a ledger that does not answer', () => json({ ...failure, retry: 'same' }, 503)],
    ['a proxy without the service', () => new Response('<html>', { status: 502 })],
    ['a budget that is used up', () => json({ ...failure, retry: 'same' }, 429)],
    ['a page that is no answer', () => new Response('<html>')],
  ])('waitForSubmission continues to poll after 20 minutes of: %s', async (_what, blip) => {
    const service = answering(underWay('5'), ...Array.from({ length: 40 }, blip), json(done));
    const waiting = waitForSubmission(clientOf(service), location);
    await jest.advanceTimersByTimeAsync(20 * 60_000);
    expect(await waiting).toEqual(done);
    expect(service.requests).toHaveLength(42);
  });

  it('waitForSubmission continues to poll if the Retry-After header is missing', async () => {
    const service = answering(json({ execution_status: 'UNKNOWN' }), json({}), json(done));
    const waiting = waitForSubmission(clientOf(service), location);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toEqual(done);
  });

  it('waitForSubmission limits the pause for an extreme Retry-After', async () => {
    const answers = Array.from({ length: 99 }, () => underWay('0'));
    const service = answering(...answers, json(done));
    const waiting = waitForSubmission(clientOf(service), location);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(service.requests.length).toBeLessThan(6);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await waiting).toEqual(done);
    const slow = answering(underWay('999999'), json(done));
    const waitingLong = waitForSubmission(clientOf(slow), location);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await waitingLong).toEqual(done);
  });

  it('waitForSubmission polls again if a connection hangs', async () => {
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const late = new AbortController();
      setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms);
      return late.signal;
    });
    let looks = 0;
    const client = createSottoClient({
      baseUrl: 'https://relayer.example',
      fetch: async ({ signal }) => {
        looks += 1;
        if (looks > 1) return json(done);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    const waiting = waitForSubmission(client, location);
    await jest.advanceTimersByTimeAsync(200_000);
    expect(await waiting).toEqual(done);
  });

  it('waitForSubmission ends when the caller’s signal aborts while no connection is possible', async () => {
    const service = answering(...Array.from({ length: 99 }, () => new TypeError('fetch failed')));
    const abort = new AbortController();
    const waiting = waitForSubmission(clientOf(service), location, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 60_000);
    const [[end]] = await Promise.all([
      Promise.allSettled([waiting]),
      jest.advanceTimersByTimeAsync(120_000),
    ]);
    expect(end).toMatchObject({ reason: { message: 'enough' } });
    expect(service.requests.length).toBeLessThan(60);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waitForSubmission rejects if the service does not know the submission', async () => {
    const service = answering(json(failure, 404), json(done));
    const lost: unknown = await waitForSubmission(clientOf(service), location).catch(Object);
    expect(lost instanceof SottoRequestFailed && lost.body).toEqual(failure);
    const elsewhere = answering(new Response('<html>', { status: 404 }));
    await expect(waitForSubmission(clientOf(elsewhere), location)).rejects.toMatchObject({
      status: 404,
      body: undefined,
    });
    expect(service.requests).toHaveLength(1);
  });

  it('waitForSubmission rejects with the error code of the service if the service rejects the request', async () => {
    const waiting = waitForSubmission(clientOf(answering(json(failure, 404))), location);
    await expect(waiting).rejects.toThrow(new SottoRequestFailed(404, failure));
    await expect(waiting).rejects.toMatchObject({ status: 404, body: failure });
  });

  it('waitForSubmission ends when the caller’s signal aborts between two polls', async () => {
    const service = answering(underWay('60'), json(done));
    const abort = new AbortController();
    const waiting = waitForSubmission(clientOf(service), location, { signal: abort.signal });
    await jest.advanceTimersByTimeAsync(1_000);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(service.requests).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([null, '', '/api/relayer/submissions/', 'https://relayer.example/elsewhere'])(
    'waitForSubmission rejects %p as the location of a submission',
    async (wrong) => {
      const service = answering();
      await expect(waitForSubmission(clientOf(service), wrong)).rejects.toThrow(TypeError);
      expect(service.requests).toEqual([]);
    },
  );

  it('accepts the id of a submission', async () => {
    const service = answering(json(done));
    await waitForSubmission(clientOf(service), 'Zk3vQ0m1T7a8b9c0d1e2fA');
    expect(urlsOf(service)).toEqual([location]);
  });

  it('polls until the outcome is accepted, at an old service too', async () => {
    const service = answering(
      json(done),
      json(done),
      json({ ...done, finality: 'ACCEPTED_ON_L2' }),
    );
    const waiting = waitForSubmission(clientOf(service), location, { until: 'accepted' });
    await jest.advanceTimersByTimeAsync(9_999);
    expect(urlsOf(service)).toEqual([location, location]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await waiting).toMatchObject({ finality: 'ACCEPTED_ON_L2' });
  });

  it('polls once a minute until an accepted outcome is settled, and does not wait for a refused one', async () => {
    const accepted = json({ ...done, finality: 'ACCEPTED_ON_L2', progress: 'accepted' });
    const service = answering(accepted, json({ ...done, progress: 'settled' }));
    const waiting = waitForSubmission(clientOf(service), location, { until: 'settled' });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await waiting).toMatchObject({ progress: 'settled' });
    expect(urlsOf(service)).toEqual([location, location]);
    const refused = { state: 'refused', execution_status: null, code: 'X' };
    const once = waitForSubmission(clientOf(answering(json(refused))), location, {
      until: 'settled',
    });
    expect(await once).toEqual(refused);
  });

  describe('a service that accepts `wait`', () => {
    const received = (seconds = '1'): Response =>
      json({ execution_status: 'UNKNOWN', progress: 'received' }, 200, { 'retry-after': seconds });
    const preconfirmed = { ...done, progress: 'preconfirmed' };

    it('is queried again at once, with a wait', async () => {
      const service = answering(received('5'), json(preconfirmed));
      expect(await waitForSubmission(clientOf(service), location)).toEqual(preconfirmed);
      expect(urlsOf(service)).toEqual([location, `${location}?wait=20&until=preconfirmed`]);
    });

    it('is queried after each Retry-After while the waits end early', async () => {
      const service = answering(received('5'), received('1'), received('1'), json(preconfirmed));
      const waiting = waitForSubmission(clientOf(service), location);
      await jest.advanceTimersByTimeAsync(1_999);
      expect(service.requests).toHaveLength(3);
      await jest.advanceTimersByTimeAsync(1);
      expect(await waiting).toEqual(preconfirmed);
    });

    it('is queried without a wait after an instance of an earlier release has rejected it', async () => {
      const rejected = json({ ...failure, code: 'INVALID_REQUEST' }, 400);
      const service = answering(received('5'), rejected, received('5'), json(preconfirmed));
      const waiting = waitForSubmission(clientOf(service), location);
      await jest.advanceTimersByTimeAsync(4_999);
      expect(service.requests).toHaveLength(3);
      await jest.advanceTimersByTimeAsync(1);
      expect(await waiting).toEqual(preconfirmed);
      expect(urlsOf(service).filter((url) => url.includes('wait'))).toHaveLength(1);
    });

    it('is queried without a wait after a proxy has broken two waits', async () => {
      const broken = Array.from({ length: 4 }, () => new Response('', { status: 504 }));
      const again = Array.from({ length: 4 }, () => new Response('', { status: 504 }));
      const service = answering(
        received('5'),
        ...broken,
        received('5'),
        ...again,
        received('5'),
        json(preconfirmed),
      );
      const waiting = waitForSubmission(clientOf(service), location);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(await waiting).toEqual(preconfirmed);
      expect(urlsOf(service).slice(-2)).toEqual([location, location]);
    });

    it('is left at once when the signal of the caller aborts during a wait', async () => {
      const requests: Request[] = [];
      const client = createSottoClient({
        baseUrl: 'https://relayer.example',
        fetch: async (request) => {
          requests.push(request);
          if (requests.length === 1) return received('5');
          return new Promise((_, reject) => {
            request.signal.addEventListener('abort', () => reject(request.signal.reason));
          });
        },
      });
      const abort = new AbortController();
      const waiting = waitForSubmission(client, location, { signal: abort.signal });
      await jest.advanceTimersByTimeAsync(1_000);
      expect(requests).toHaveLength(2);
      abort.abort(new Error('enough'));
      await expect(waiting).rejects.toThrow('enough');
    });
  });
});
