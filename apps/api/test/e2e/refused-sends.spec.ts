import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@sotto/process-kit';
import { Stack } from './support/stack.js';
import { good, pool, vector } from './support/withdrawals.js';

const ADD = 'starknet_addInvokeTransaction';
const TOKEN = 'a-token-of-the-operator';

let stack: Stack;
beforeEach(async () => {
  stack = await Stack.start({
    isProxied: true,
    env: { OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }) },
  });
  await stack.service.ready();
});
afterEach(() => stack.stop());

const refuseSends = (code: number): void =>
  stack.proxy.addFault({
    method: ADD,
    fault: { kind: 'refuse', code, message: 'refused by the test' },
    times: 'always',
  });
const sends = (): number => stack.proxy.counters().calls[ADD] ?? 0;
const lanes = async (): Promise<unknown> => {
  const authorization = `Bearer ${TOKEN}`;
  const { body } = await stack.service.get('/api/operator/status', { authorization });
  return Object(body).lanes;
};
const publicStatus = async (): Promise<unknown> =>
  Object((await stack.service.get('/status')).body).status;

describe('health while the node rejects sends', () => {
  it('T16: a node’s rejection of a send is reported until the node accepts a send', async () => {
    refuseSends(54);
    const path = await stack.service.accepted(good);
    const checks = await eventually('readiness to show the refused send', async () => {
      const { status, body } = await stack.service.get('/health/ready');
      return status === 503 && Object(body).checks;
    });
    expect(checks).toMatchObject({
      lanes: { ok: false, code: 'LANES_RESTING_INSUFFICIENT_ACCOUNT_BALANCE' },
    });
    expect(await lanes()).toMatchObject([
      { state: 'resting', reason: 'INSUFFICIENT_ACCOUNT_BALANCE' },
    ]);
    // The public status is signed again only every few seconds.
    const shown = await eventually('the signed status to show it', async () => {
      const status = Object(await publicStatus());
      return status.capacity.value === false && status;
    });
    expect(shown).toMatchObject({ pools: [{ accepting: { value: false } }] });
    const before = sends();
    await eventually('the account to try again', () => sends() > before);

    stack.proxy.clearFaults();
    await stack.service.ready();
    expect(await lanes()).toMatchObject([{ state: 'ready', reason: null }]);
    await eventually(
      'the withdrawal to succeed',
      async () => Object((await stack.service.get(path)).body).state === 'succeeded',
    );
    expect(stack.chain.inclusions()).toHaveLength(1);
    expect(await stack.chain.wbtcOf(BigInt(vector.recipient))).toBe(
      pool.denomination - BigInt(vector.feeSats),
    );
  });

  it.each([55, 56])(
    'T16: the lane and the service stay ready after a rejection with code %i, which a caller can cause',
    async (code) => {
      refuseSends(code);
      const path = await stack.service.accepted(good);
      await eventually('the send to be rejected', () =>
        stack.service.output.includes('"answer":"refused"'),
      );
      expect(await lanes()).toMatchObject([{ state: 'ready', reason: null }]);
      expect((await stack.service.get('/health/ready')).status).toBe(200);
      expect((await stack.service.get(path)).status).toBe(200);
    },
  );
});
