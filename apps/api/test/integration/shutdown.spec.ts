import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listen, type ListeningServer } from '@sotto/http-server';
import { succeeded, undecided } from './answers-fixture.js';
import { testApp, type TestApp } from './test-app.js';

const LONG_MS = 60_000;

describe('listen', () => {
  let test: TestApp;
  let server: ListeningServer;
  let closed: Promise<void> | undefined;

  beforeEach(async () => {
    test = await testApp();
    server = await listen(test.app, { host: '127.0.0.1', port: 0 });
    closed = undefined;
  });
  afterEach(async () => {
    await (closed ?? close(0));
  });

  const close = (graceMs: number): Promise<void> =>
    (closed = server.close(graceMs, () => test.stopping.abort()));
  const withdraw = (): Promise<Response> =>
    fetch(`${server.url}/api/relayer/withdraw`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ poolAddress: '0xaa1', calldata: ['0x1'] }),
    });
  const arrived = async (): Promise<void> => {
    while (test.useCases.submitted.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('a waiting request can finish within the grace time of a shutdown', async () => {
    const outcome = new EventEmitter();
    test.useCases.answer = async () => {
      await once(outcome, 'known');
      return succeeded;
    };
    const answer = withdraw();
    await arrived();
    const closing = close(LONG_MS);
    await expect(fetch(`${server.url}/health/live`)).rejects.toThrow('fetch failed');
    outcome.emit('known');
    expect(await (await answer).json()).toMatchObject({ execution_status: 'SUCCEEDED' });
    await closing;
  });

  it('a waiting request gets UNKNOWN with a Location when the grace time of a shutdown is over', async () => {
    test.useCases.answer = async ({ signal }) => {
      if (signal === undefined) throw new Error('no signal was given');
      await once(signal, 'abort');
      return undecided;
    };
    const answer = withdraw();
    await arrived();
    await close(20);
    const response = await answer;
    expect(response.headers.get('location')).toMatch(/submissions/);
    expect(await response.json()).toMatchObject({ execution_status: 'UNKNOWN' });
  });

  it('a shutdown does not wait for idle kept-alive connections', async () => {
    await (await fetch(`${server.url}/health/live`)).text();
    await close(LONG_MS);
    // The connections were closed before the grace time of the shutdown had expired.
    expect(test.stopping.signal.aborted).toBe(false);
  });

  it('the server leaves idle connections open for longer than load balancers do', async () => {
    const { headers } = await fetch(`${server.url}/health/live`);
    expect(headers.get('keep-alive')).toBe('timeout=65');
  });

  it('the server’s start fails if another server listens on the port', async () => {
    const port = Number(new URL(server.url).port);
    await expect(listen(test.app, { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
