import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntilReady } from '../../src/stack/wait-until-ready.js';

interface Check {
  readonly ok: boolean;
  readonly code: string | null;
}

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/**
 * Starts a fake service that returns these readiness reports one after the other, and is ready
 * after the last report.
 */
async function service(...reports: readonly Readonly<Record<string, Check>>[]): Promise<string> {
  const waiting = [...reports];
  const listener = createServer((_request, response) => {
    const checks = waiting.shift();
    response.writeHead(checks === undefined ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: 'not_ready', checks: checks ?? {} }));
  });
  server = listener;
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

const FINE = { ok: true, code: null };
const LANES = { ok: false, code: 'LANES_HELD_ELSEWHERE' };

describe('waitUntilReady', () => {
  it('waitUntilReady reports each reason for waiting once, as a sentence', async () => {
    const said: string[] = [];
    const notRead = { ok: false, code: 'LEDGER_NOT_READ' };
    const url = await service(
      { store: FINE, ledger: notRead, lanes: LANES },
      { store: FINE, ledger: FINE, lanes: LANES },
      { store: FINE, ledger: FINE, lanes: LANES },
    );
    await waitUntilReady(url, {
      isRunning: () => true,
      say: (text) => said.push(text),
      quietMs: 0,
    });
    expect(said).toEqual([
      'the service compares its ledger with the chain, acquires its accounts',
      'the service acquires its accounts',
    ]);
  });

  it('waitUntilReady rejects if a different service responds at the port of the starting service', async () => {
    const url = await service();
    const options = { isRunning: () => true, say: () => {} };
    await expect(
      waitUntilReady(url, { ...options, isOurs: () => Promise.resolve(false) }),
    ).rejects.toThrow(`another service answers at ${url}`);
    let requested = 0;
    const isOurs = async (): Promise<boolean> => {
      requested += 1;
      if (requested === 1) throw new Error('it is gone for a moment');
      return true;
    };
    await waitUntilReady(url, { ...options, isOurs });
    expect(requested).toBe(2);
  });

  it('waitUntilReady rejects after its timeout if the service never answers operator requests', async () => {
    const url = await service();
    let requested = 0;
    const isOurs = async (): Promise<boolean> => {
      requested += 1;
      throw new Error('its operator is not answered');
    };
    const options = { isRunning: () => true, say: () => undefined, isOurs, timeoutMs: 200 };
    await expect(waitUntilReady(url, options)).rejects.toThrow(
      'the service is not ready after 0.2 s; it still waits for: an answer to its operator',
    );
    expect(requested).toBeLessThan(10);
  });

  it('waitUntilReady reports no reason for waiting if the wait is short', async () => {
    const said: string[] = [];
    const url = await service({ lanes: LANES });
    await waitUntilReady(url, { isRunning: () => true, say: (text) => said.push(text) });
    expect(said).toEqual([]);
  });

  it('waitUntilReady rejects if the service has ended', async () => {
    const url = await service();
    await expect(
      waitUntilReady(url, { isRunning: () => false, say: () => undefined }),
    ).rejects.toThrow('the service ended while it started');
  });
});
