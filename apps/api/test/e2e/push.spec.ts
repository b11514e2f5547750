import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sandboxWorld } from '@sotto/sandbox';
import { eventually } from '@sotto/process-kit';
import { Stack } from './support/stack.js';
import { good } from './support/withdrawals.js';

const STATUS = 'starknet_getTransactionStatus';
/**
 * Time in milliseconds after a broadcast. By then, the additional polls that follow each broadcast
 * have ended.
 */
const POLLS_AFTER_SEND_MS = 1_000;
const NEVER_BY_TIME = { POLL_INTERVAL_MS: '60000', IDLE_INTERVAL_MS: '60000' };

let stack: Stack;
afterEach(() => stack.stop());

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  stack = await Stack.start({
    cadence: 'manual',
    env: ({ wsUrl }) => ({
      STARKNET_WS_URL: wsUrl,
      METRICS_PORT: '0',
      RESEND_AFTER_MS: '600000',
      ATTENTION_AFTER_MS: '700000',
      WAIT_FOR_CONFIRMATION_MS: '25000',
      ...env,
    }),
  });
  await stack.service.ready();
  await isConnected(1);
}

const isConnected = (value: 0 | 1): Promise<unknown> =>
  eventually(`push to be ${value}`, async () =>
    (await stack.service.metrics()).includes(`sotto_push_connected{node="node-0"} ${value}\n`),
  );
const inspectsCall = (): number => stack.chain.control.counters().calls[STATUS] ?? 0;

describe('a node that pushes', () => {
  it('a pushed receipt is not trusted: the push message only triggers a poll of the chain', async () => {
    await start(NEVER_BY_TIME);
    const answer = stack.service.withdraw(good);
    await eventually('the call to be sent', () => stack.chain.control.waiting().length === 1);
    await sleep(POLLS_AFTER_SEND_MS);
    const before = inspectsCall();
    stack.chain.control.pushFalsely(sandboxWorld.accounts.lane1.address);
    await eventually('a poll', () => inspectsCall() > before);
    expect(stack.ledger().attempts).toMatchObject([{ state: 'broadcast' }]);
    stack.chain.preConfirm();
    expect((await answer).body).toMatchObject({ execution_status: 'SUCCEEDED' });
  });

  it('the chain is polled at intervals while the node’s push connection is down', async () => {
    await start({ POLL_INTERVAL_MS: '1000' });
    const answer = stack.service.withdraw(good);
    await eventually('the call to be sent', () => stack.chain.control.waiting().length === 1);
    stack.chain.control.setPushMode('refuse');
    await isConnected(0);
    stack.chain.preConfirm();
    expect((await answer).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    stack.chain.control.setPushMode('serve');
    await isConnected(1);
  });
});
