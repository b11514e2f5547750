import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { InFlight, type InFlightSettings } from '@sotto/http-server';
import { succeeded } from './answers-fixture.js';
import { testApp, withServer, type TestApp } from './test-app.js';

const WITHDRAWAL = { poolAddress: '0xaa1', calldata: ['1'] };

/** Waits until the condition holds. @throws Error after a timeout */
async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < 400; looks += 1) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('timed out');
}

/** Creates an app in which withdrawals wait until the test releases them. */
async function waitingApp(
  settings: InFlightSettings,
  trustedProxies = 0,
): Promise<TestApp & { readonly inFlight: InFlight; readonly go: () => void }> {
  const inFlight = new InFlight(settings);
  const test = await testApp({ app: { inFlight, trustedProxies } });
  const waiting: (() => void)[] = [];
  test.useCases.answer = async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return succeeded;
  };
  const go = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { ...test, inFlight, go };
}

const post = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/api/relayer/withdraw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(4_000),
  });
const withdraw = (url: string, from?: string): Promise<Response> =>
  post(url, JSON.stringify(WITHDRAWAL), from === undefined ? {} : { 'x-forwarded-for': from });

describe('requests in flight', () => {
  it('requests over the limit are rejected with a retry delay before their body is read', async () => {
    const { app, inFlight, useCases, go } = await waitingApp({ inAll: 2, perClient: 9 }, 1);
    await withServer(app, async (url) => {
      const accepted = [withdraw(url, '203.0.113.1'), withdraw(url, '198.51.100.1')];
      await until(() => inFlight.counts().requests === 2);
      const refused = await post(url, '{ no JSON', { 'x-forwarded-for': '192.0.2.1' });
      expect([
        refused.status,
        refused.headers.get('retry-after'),
        Object(await refused.json()).code,
      ]).toEqual([503, '5', 'OVERLOADED']);
      expect(useCases.submitted.length).toBeLessThanOrEqual(2);
      go();
      await until(() => useCases.submitted.length === 2);
      go();
      expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200]);
      await until(() => inFlight.counts().requests === 0);
      expect(inFlight.counts()).toEqual({ requests: 0, clients: 0, refused: 1 });
    });
  });

  it('requests of one caller do not use the slots of other callers', async () => {
    const { app, inFlight, useCases, go } = await waitingApp({ inAll: 9, perClient: 1 }, 1);
    await withServer(app, async (url) => {
      const first = withdraw(url, '203.0.113.1');
      await until(() => useCases.submitted.length === 1);
      const refused = await withdraw(url, '203.0.113.1');
      expect([
        refused.status,
        refused.headers.get('retry-after'),
        Object(await refused.json()).code,
      ]).toEqual([429, '5', 'TOO_MANY_IN_FLIGHT']);
      const other = withdraw(url, '203.0.113.2');
      await until(() => useCases.submitted.length === 2);
      expect(inFlight.counts()).toEqual({ requests: 2, clients: 2, refused: 1 });
      go();
      expect([(await first).status, (await other).status]).toEqual([200, 200]);
    });
  });

  it('requests of one network use at most half of all slots, even if each address is below its limit', async () => {
    const { app, inFlight, useCases, go } = await waitingApp({ inAll: 8, perClient: 100 }, 1);
    await withServer(app, async (url) => {
      const accepted: Promise<Response>[] = [];
      for (let host = 1; host <= 4; host += 1) {
        accepted.push(withdraw(url, `203.0.113.${host}`));
        await until(() => inFlight.counts().requests === host);
      }
      const refused = await withdraw(url, '203.0.113.99');
      expect([refused.status, Object(await refused.json()).code]).toEqual([
        429,
        'TOO_MANY_IN_FLIGHT',
      ]);
      accepted.push(withdraw(url, '198.51.100.1'));
      await until(() => useCases.submitted.length === 5);
      go();
      expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual(
        accepted.map(() => 200),
      );
    });
  });

  it('reads and health probes do not wait for a request slot', async () => {
    const { app, useCases, go } = await waitingApp({ inAll: 1, perClient: 1 });
    await withServer(app, async (url) => {
      const first = withdraw(url);
      await until(() => useCases.submitted.length === 1);
      for (const path of [
        '/status',
        '/api/relayer/pools',
        '/health/ready',
        '/api/staking',
        '/api/relayer/pool-status?pool=0xaa1',
      ]) {
        expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
      }
      go();
      expect((await first).status).toBe(200);
    });
  });

  it('a request releases its request slot when its caller disconnects', async () => {
    const { app, inFlight, useCases, go } = await waitingApp({ inAll: 1, perClient: 1 });
    await withServer(app, async (url) => {
      const leaving = new AbortController();
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(WITHDRAWAL),
        signal: leaving.signal,
      };
      const gone = fetch(`${url}/api/relayer/withdraw`, init);
      await until(() => useCases.submitted.length === 1);
      leaving.abort();
      await expect(gone).rejects.toThrow('abort');
      await until(() => inFlight.counts().requests === 0);
      const next = withdraw(url);
      await until(() => useCases.submitted.length === 2);
      go();
      expect((await next).status).toBe(200);
    });
  });

  it('a failed request releases its request slot', async () => {
    const inFlight = new InFlight({ inAll: 1, perClient: 1 });
    const { app } = await testApp({ app: { inFlight } });
    for (let run = 0; run < 3; run += 1)
      expect((await request(app).post('/api/relayer/withdraw').send({})).status).toBe(400);
    expect(inFlight.counts()).toEqual({ requests: 0, clients: 0, refused: 0 });
  });
});
