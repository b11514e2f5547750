import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SottoRequestFailed, createSottoClient, waitForSubmission } from '../src/index.js';
import { answering, failure, json } from './answers.js';

const location = '/api/relayer/submissions/Zk3vQ0m1T7a8b9c0d1e2fA';
const underWay = (seconds: string): Response =>
  json({ execution_status: 'UNKNOWN' }, 200, { 'retry-after': seconds });
const done = { state: 'succeeded', execution_status: 'SUCCEEDED', finality: 'PRE_CONFIRMED' };
const clientOf = ({ fetch }: ReturnType<typeof answering>) =>
  createSottoClient({ baseUrl: 'https://relayer.example', fetch });

describe('waiting for a submission', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('looks again after the time that the service names, until the outcome is known', async () => {
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

  it('retries after Retry-After, whatever the reason', async () => {
    const service = answering(
      json({ ...failure, code: 'RATE_LIMITED' }, 429, { 'retry-after': '30' }),
      json({ ...failure, code: 'LEDGER_UNAVAILABLE' }, 503, { 'retry-after': '1' }),
      json(done),
    );
    const waiting = waitForSubmission(clientOf(service), `https://relayer.example${location}`);
    await jest.advanceTimersByTimeAsync(31_000);
    expect(await waiting).toEqual(done);
  });

  it('fails with the code of the service when that refuses', async () => {
    const waiting = waitForSubmission(clientOf(answering(json(failure, 404))), location);
    await expect(waiting).rejects.toThrow(new SottoRequestFailed(404, failure));
    await expect(waiting).rejects.toMatchObject({ status: 404, body: failure });
  });

  it('ends with its signal, between two looks too', async () => {
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
    'refuses %p for a location',
    async (wrong) => {
      const service = answering();
      await expect(waitForSubmission(clientOf(service), wrong)).rejects.toThrow(TypeError);
      expect(service.requests).toEqual([]);
    },
  );
});
