import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@sotto/process-kit';
import { listen, type ListeningServer } from '@sotto/http-server';
import { HASH, SUBMISSION_ID, reverted, succeeded, undecided } from './answers-fixture.js';
import { WAITS_PER_CLIENT, testApp, type TestApp } from './test-app.js';

const PATH = `/api/relayer/submissions/${SUBMISSION_ID}`;
const READ_TURNS = 20;

describe('a request that waits for a submission', () => {
  let test: TestApp;
  let server: ListeningServer;
  beforeEach(async () => {
    test = await testApp();
    server = await listen(test.app, { host: '127.0.0.1', port: 0 });
    test.useCases.submissions.set(SUBMISSION_ID, undecided);
  });
  afterEach(() => server.close(0, () => test.stopping.abort()));

  const wait = (query = '?wait=20', signal?: AbortSignal): Promise<Response> =>
    fetch(`${server.url}${PATH}${query}`, signal ? { signal } : {});
  const counts = () => test.useCases.waits.counts();
  const waiting = async (count: number): Promise<void> => {
    await eventually(`${count} callers to wait`, () => counts().waiting === count);
  };
  const change = (answer: typeof succeeded): void => {
    test.useCases.submissions.set(SUBMISSION_ID, answer);
    test.useCases.submissionChanges.changed(SUBMISSION_ID);
  };

  it('gets the outcome as soon as the submission changes', async () => {
    const answer = wait();
    await waiting(1);
    change(reverted);
    const response = await answer;
    expect([response.status, response.headers.get('retry-after')]).toEqual([200, null]);
    expect(await response.json()).toMatchObject({
      execution_status: 'REVERTED',
      progress: 'preconfirmed',
    });
    await waiting(0);
  });

  it('waits beyond a pre-confirmed outcome until the outcome is accepted', async () => {
    change(reverted);
    const answer = wait('?wait=20&until=accepted');
    await waiting(1);
    change(succeeded);
    expect(await (await answer).json()).toMatchObject({ progress: 'accepted' });
  });

  it('gets the present state with `Retry-After: 1` when its time is over', async () => {
    const answer = wait('?wait=1');
    await waiting(1);
    test.useCases.clock.advance(1_000);
    const response = await answer;
    expect([response.status, response.headers.get('retry-after')]).toEqual([200, '1']);
    expect(await response.json()).toMatchObject({ progress: 'received', transaction_hash: HASH });
  });

  it.each(['0', '31', '-1', '1.5', '', '020', ' 5', '1e1', 'abc', '20&wait=20'])(
    'is rejected with INVALID_REQUEST if `wait` is %j',
    async (value) => {
      const response = await wait(`?wait=${value}`);
      expect([response.status, Object(await response.json()).code]).toEqual([
        400,
        'INVALID_REQUEST',
      ]);
      expect(counts().waiting).toBe(0);
    },
  );

  it.each(['settled', 'received', ''])(
    'is rejected with INVALID_REQUEST until %j',
    async (value) => {
      const response = await wait(`?wait=20&until=${value}`);
      expect([response.status, Object(await response.json()).code]).toEqual([
        400,
        'INVALID_REQUEST',
      ]);
    },
  );

  it('gets SUBMISSION_NOT_FOUND at once for an id of no submission', async () => {
    test.useCases.submissions.clear();
    const response = await wait();
    expect([response.status, Object(await response.json()).code]).toEqual([
      404,
      'SUBMISSION_NOT_FOUND',
    ]);
  });

  it('gets the present state at once with `Retry-After: 1` beyond the limit of its address', async () => {
    const leaving = new AbortController();
    const first = Array.from({ length: WAITS_PER_CLIENT }, () => wait('?wait=20', leaving.signal));
    const left = Promise.allSettled(first);
    await waiting(WAITS_PER_CLIENT);
    const response = await wait();
    expect([response.status, response.headers.get('retry-after')]).toEqual([200, '1']);
    expect(counts().refused).toBe(1);
    // Callers that disconnect free their places.
    leaving.abort();
    await left;
    await waiting(0);
  });

  it('is not counted as a request in flight', async () => {
    const answer = wait();
    await waiting(1);
    expect(test.inFlight.counts().requests).toBe(0);
    change(succeeded);
    await answer;
  });

  it('responds before the grace time when the service accepts no more connections', async () => {
    const answer = wait();
    const stream = await streamed();
    await waiting(2);
    const closed = server.close(60_000, () => test.stopping.abort());
    test.closing.abort();
    const response = await answer;
    expect([response.status, response.headers.get('retry-after')]).toEqual([200, '1']);
    await closed;
    expect([stream.text().endsWith('\n\n'), test.stopping.signal.aborted]).toEqual([true, false]);
  });

  const streamed = async () => {
    const [response]: IncomingMessage[] = await once(
      get(`${server.url}${PATH}/events`),
      'response',
    );
    if (response === undefined) throw new Error('there is no response');
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => (text += part));
    return { response, ended: once(response, 'end'), text: () => text };
  };

  describe('an event stream', () => {
    it('sends the present state, each change once, and ends with the accepted outcome', async () => {
      const { response, ended, text } = await streamed();
      expect(response.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
      });
      await waiting(1);
      for (const answer of [undecided, reverted, reverted, succeeded]) {
        change(answer);
        for (let turn = 0; turn < READ_TURNS; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
      }
      await ended;
      const events = text()
        .split('\n\n')
        .filter((block) => block.includes('event: submission'));
      expect(events.map((block) => JSON.parse(block.split('data: ')[1] ?? '').progress)).toEqual([
        'received',
        'preconfirmed',
        'accepted',
      ]);
      expect(text()).not.toMatch(/marker|deadbeef/);
      expect(events.at(-1)).toContain('retry: 60000');
      await waiting(0);
    });

    it('ends after the present state beyond the limit of its address', async () => {
      const leaving = new AbortController();
      const first = Array.from({ length: WAITS_PER_CLIENT }, () =>
        wait('?wait=20', leaving.signal),
      );
      const left = Promise.allSettled(first);
      await waiting(WAITS_PER_CLIENT);
      const { ended, text } = await streamed();
      await ended;
      expect(text()).toMatch(/^retry: 1000\nevent: submission\ndata: \{.*\}\n\n$/);
      leaving.abort();
      await left;
    });

    it('is rejected with SUBMISSION_NOT_FOUND for an id of no submission', async () => {
      const response = await fetch(`${server.url}/api/relayer/submissions/unknown/events`);
      expect([response.status, Object(await response.json()).code]).toEqual([
        404,
        'SUBMISSION_NOT_FOUND',
      ]);
    });

    it('frees its place when its reader disconnects', async () => {
      const { response } = await streamed();
      await waiting(1);
      response.destroy();
      await waiting(0);
      expect(counts().waiting).toBe(0);
    });
  });
});
