import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@sotto/process-kit';
import { Stack } from './support/stack.js';
import { good } from './support/withdrawals.js';

describe('a stopping service', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  const start = async (graceMs: number, drainMs = 0): Promise<void> => {
    const env = { SHUTDOWN_GRACE_MS: String(graceMs), SHUTDOWN_DRAIN_MS: String(drainMs) };
    stack = await Stack.start({ cadence: 'manual', genesis: { enforceNullifier: false }, env });
  };
  const sent = (): Promise<bigint> =>
    eventually('the transaction to reach the node', () => stack.chain.waiting()[0]);
  const stopping = (): Promise<boolean> =>
    eventually('the service to stop', () => stack.service.output.includes('"message":"stopping"'));
  const settled = (location: string | null): Promise<unknown> =>
    eventually('the submission to be settled', async () => {
      const { body } = await stack.service.get(location ?? '');
      return Object(body).state === 'succeeded' && body;
    });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'the service exits with code 0 on %s if no transaction is in flight',
    async (signal) => {
      await start(10_000);
      await stack.service.ready();
      stack.service.kill(signal);
      expect(await stack.service.ended).toEqual({ code: 0, signal: null });
    },
  );

  it('a stopping service answers a withdrawal that settles within the grace time', async () => {
    await start(10_000);
    const waiting = stack.service.withdraw(good);
    await sent();
    stack.service.kill('SIGTERM');
    await stopping();
    // The service also closes its listener, so the readiness probe soon gets no response.
    await eventually('the probe to fail', () =>
      stack.service.get('/health/ready').then(
        () => false,
        ({ message }: Error) => message === 'fetch failed',
      ),
    );
    await expect(stack.service.withdraw(good)).rejects.toThrow('fetch failed');

    stack.chain.preConfirm();
    const { status, body } = await waiting;
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ execution_status: 'SUCCEEDED' }),
    ]);
    expect(await stack.service.ended).toEqual({ code: 0, signal: null });
  });

  it('a stopping service reports that it is not ready, but accepts requests until the drain time is over', async () => {
    await start(10_000, 3_000);
    await stack.service.ready();
    stack.service.kill('SIGTERM');
    await stopping();
    const { status, body } = await stack.service.get('/health/ready');
    expect([status, Object(body).checks.running]).toEqual([503, { ok: false, code: 'STOPPING' }]);
    expect((await stack.service.get('/health/live')).status).toBe(200);
    const waiting = stack.service.withdraw(good);
    await sent();
    stack.chain.preConfirm();
    expect((await waiting).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect(await stack.service.ended).toEqual({ code: 0, signal: null });
  });

  it('a stopping service answers a pending withdrawal with UNKNOWN after the grace time; the withdrawal is settled after the next start', async () => {
    await start(200);
    const waiting = stack.service.withdraw(good);
    const hash = await sent();
    stack.service.kill('SIGTERM');
    const { status, headers, body } = await waiting;
    expect([status, body]).toEqual([200, expect.objectContaining({ execution_status: 'UNKNOWN' })]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await stack.service.ended).toEqual({ code: 0, signal: null });

    stack.chain.control.mine();
    await stack.restart();
    expect(await settled(headers.get('location'))).toMatchObject({
      attempt: 1,
      transaction_hash: Object(body).transaction_hash,
    });
    expect(stack.chain.inclusions().map((inclusion) => inclusion.hash)).toEqual([hash]);
  });

  it('a stopping service releases its lane only after the node has responded to the running send', async () => {
    await start(100);
    stack.chain.control.addFault({
      method: 'starknet_addInvokeTransaction',
      fault: { kind: 'answer-late', delayMs: 600 },
    });
    await stack.service.accepted(good);
    await sent();
    stack.service.kill('SIGTERM');
    expect(await stack.service.ended).toEqual({ code: 0, signal: null });
    expect(stack.service.output).toContain('"message":"transaction sent"');

    await stack.restart({ INSTANCE_ID: 'another' });
    stack.chain.control.mine();
    expect((await stack.service.withdraw(good)).body).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(stack.chain.inclusions()).toHaveLength(1);
  });
});
