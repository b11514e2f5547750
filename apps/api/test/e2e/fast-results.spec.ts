import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createSottoClient, waitForSubmission } from '@sotto/client';
import { eventually, type Answer } from '@sotto/process-kit';
import { Stack } from './support/stack.js';
import { good } from './support/withdrawals.js';

/** Maximum number of waiting requests of one address, an eighth of its connections. */
const WAITS_PER_CLIENT = 2;
/**
 * Time in ms within which a notified wait ends. It is below the interval of polls (5 s) and of
 * reads without a notification (5 s), so neither of them ends the wait.
 */
const FAST_MS = 2_500;

describe('fast results', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  /** Starts a service, and a withdrawal that is in flight on a chain without blocks. */
  const inFlight = async (env: Readonly<Record<string, string>> = {}): Promise<string> => {
    stack = await Stack.start({ cadence: 'manual', env });
    const location = await stack.service.accepted(good);
    await eventually('the transaction to reach the node', () => stack.chain.waiting()[0]);
    return location;
  };
  const wait = (location: string, query = '?wait=30'): Promise<Answer> =>
    stack.service.get(`${location}${query}`);
  /** Runs `change` while a wait is in progress, and returns the reply with its delay in ms. */
  const after = async (waiting: Promise<Answer>, change: () => void) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const beganMs = performance.now();
    change();
    const answer = await waiting;
    return { answer, ms: performance.now() - beganMs };
  };

  it('a wait ends as soon as the chain shows the outcome, and another one when it is accepted', async () => {
    const location = await inFlight();
    const shown = await after(wait(location), () => stack.chain.preConfirm());
    expect(shown.answer.body).toMatchObject({ progress: 'preconfirmed', state: 'broadcast' });
    expect(shown.ms).toBeLessThan(FAST_MS);
    const accepted = await after(wait(location, '?wait=30&until=accepted'), () =>
      stack.chain.control.mine(),
    );
    expect(accepted.answer.body).toMatchObject({ progress: 'accepted', state: 'succeeded' });
    expect(accepted.ms).toBeLessThan(FAST_MS);
  });

  it('the client returns an accepted outcome before its second poll', async () => {
    const location = await inFlight();
    const urls: string[] = [];
    const client = createSottoClient({
      baseUrl: stack.service.url,
      fetch: (request) => {
        urls.push(new URL(request.url).search);
        return fetch(request);
      },
    });
    const waiting = waitForSubmission(client, location, { until: 'accepted' });
    await eventually('the client to wait', () => urls.length === 2);
    stack.chain.control.mine();
    expect(await waiting).toMatchObject({ progress: 'accepted' });
    expect(urls).toEqual(['', '?wait=20&until=accepted']);
  });

  it('a wait beyond the limit of its address ends at once with `Retry-After: 1`', async () => {
    const location = await inFlight({
      MAX_CONNECTIONS_PER_CLIENT: String(8 * WAITS_PER_CLIENT),
    });
    const waiting = Array.from({ length: WAITS_PER_CLIENT }, () => wait(location));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const beyond = await wait(location);
    expect([beyond.status, beyond.headers.get('retry-after')]).toEqual([200, '1']);
    expect(beyond.body).toMatchObject({ progress: 'received' });
    stack.chain.preConfirm();
    for (const answer of await Promise.all(waiting))
      expect(answer.body).toMatchObject({ progress: 'preconfirmed' });
  });

  it('waits and streams end when the service stops, long before its grace time', async () => {
    const location = await inFlight({ SHUTDOWN_GRACE_MS: '60000' });
    const [response]: IncomingMessage[] = await once(
      get(`${stack.service.url}${location}/events`),
      'response',
    );
    response?.resume();
    const ended = once(response ?? new EventTarget(), 'end');
    const { answer, ms } = await after(wait(location), () => stack.service.kill('SIGTERM'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([200, '1']);
    expect(answer.body).toMatchObject({ progress: 'received' });
    await ended;
    expect(ms).toBeLessThan(10_000);
    expect(await stack.service.ended).toEqual({ code: 0, signal: null });
  });

  it('a stream sends each progress of the submission and ends', async () => {
    const location = await inFlight();
    const stream = await fetch(`${stack.service.url}${location}/events`);
    const text = stream.text();
    await new Promise((resolve) => setTimeout(resolve, 500));
    stack.chain.preConfirm();
    await eventually('the result to be known', async () => {
      const { body } = await stack.service.get(location);
      return Object(body).progress === 'preconfirmed';
    });
    stack.chain.control.mine();
    const progress = [...(await text).matchAll(/"progress":"(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(progress)]).toEqual(['received', 'preconfirmed', 'accepted']);
    expect(progress.at(-1)).toBe('accepted');
  });
});
