import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@sotto/process-kit';
import { Stack } from './support/stack.js';
import { good } from './support/withdrawals.js';

type Line = Readonly<Record<string, unknown>>;

describe('the log', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  it('O9: the log connects a request with its submission, lane, nonce and transaction', async () => {
    stack = await Stack.start({ env: { SHUTDOWN_DRAIN_MS: '500' } });
    const { service } = stack;
    await service.ready();
    const { body, headers } = await service.withdraw(good);
    const location = headers.get('location') ?? '';
    await service.get(location);
    await service.get('/status');
    await eventually('the nonce to be settled', () => service.output.includes('nonce settled'));
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });

    const lines = service.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Line => JSON.parse(line));
    const wanted = {
      requestId: headers.get('x-request-id'),
      submission: location.split('/').at(-1),
      lane: expect.stringMatching(/^0x/),
      nonce: '0',
      transactionHash: Object(body).transaction_hash,
    };
    const { lane, nonce, transactionHash, ...begun } = wanted;
    const named = (message: string): readonly Line[] =>
      lines.filter((line) => line['message'] === message);
    expect(named('submission accepted')).toEqual([expect.objectContaining(begun)]);
    for (const message of ['transaction sent', 'nonce settled', 'request'])
      expect(named(message)).toEqual([expect.objectContaining(wanted)]);
    // Every other line that contains the transaction or the nonce also contains the request id.
    for (const line of lines.filter(({ transactionHash: hash }) => hash === transactionHash))
      expect(line).toMatchObject({ ...wanted, lane, nonce });
    expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
    // The two polls were logged at the debug level, which is disabled.
    expect(named('request')).toHaveLength(1);
  });
});
