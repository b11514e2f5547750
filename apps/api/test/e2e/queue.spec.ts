import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { anyWithdrawal, fillPool, timesPaid } from './support/load.js';
import { Scrape } from './support/metrics.js';
import { Stack } from './support/stack.js';

const SEND = 'starknet_addInvokeTransaction';
/**
 * Indexes of the first three withdrawals: the first is sent, and the next two wait for the account.
 */
const TAKEN = [0, 1, 2];
const BEYOND = 3;

describe('a full queue', () => {
  let stack: Stack;
  const paths: string[] = [];
  beforeAll(async () => {
    stack = await Stack.start({
      cadence: 'manual',
      verificationKey: trapdoorKey,
      env: { METRICS_PORT: '0', MAX_IN_FLIGHT_PER_LANE: '1', MAX_WAITING_PER_ROLE: '2' },
    });
    fillPool(stack.chain);
    stack.chain.control.mine();
    await stack.service.ready();
    for (const index of TAKEN) {
      paths.push(await stack.service.accepted(anyWithdrawal(index)));
      if (index === 0)
        await eventually(
          'the first to be sent',
          () => stack.chain.control.counters().calls[SEND] === 1,
        );
    }
  });
  afterAll(() => stack.stop());

  const scrape = (): Promise<Scrape> => Scrape.of(stack.service);
  /**
   * Returns how often the service has done each kind of work for admissions: pairing checks, reads
   * and simulations.
   */
  const work = async (): Promise<readonly (number | undefined)[]> => {
    const seen = await scrape();
    const ports = [
      { port: 'proof_verifier', method: 'holds', outcome: 'ok' },
      { port: 'pool_reader', method: 'withdrawalFacts', outcome: 'ok' },
      { port: 'simulator', method: 'simulate', outcome: 'ok' },
    ];
    return ports.map((labels) => seen.value('sotto_port_call_seconds_count', labels));
  };

  it('rejects a withdrawal without any checks while the queue is full, and returns a retry delay', async () => {
    expect((await scrape()).value('sotto_queue_length', { role: 'relay' })).toBe(2);
    // The service may check a waiting submission again during the test. This check is also counted
    // as work, although the rejected request does not cause it.
    await eventually('a rejection without concurrent work', async () => {
      const before = await work();
      expect(before).toEqual([expect.any(Number), 3, 3]);
      const answer = await stack.service.withdraw(anyWithdrawal(BEYOND));
      expect([answer.status, answer.body]).toEqual([
        503,
        expect.objectContaining({ code: 'QUEUE_FULL' }),
      ]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      return String(await work()) === String(before);
    });
    expect(stack.ledger().attempts).toHaveLength(TAKEN.length);
  });

  it('a dry run reports the full queue, and all other checks of the dry run pass', async () => {
    const { body } = await stack.service.withdraw(anyWithdrawal(BEYOND), { query: '?dryRun=true' });
    const checks: readonly { readonly check: string; readonly status: string }[] =
      Object(body).checks;
    expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
      { check: 'queue', code: 'QUEUE_FULL' },
    ]);
    expect(Object(body).admissible).toBe(false);
  });

  it('a repeated request gets its existing submission even while the queue is full', async () => {
    for (const index of TAKEN)
      expect(await stack.service.accepted(anyWithdrawal(index))).toBe(paths[index]);
  });

  it('a full queue accepts withdrawals again once the chain advances, and every accepted withdrawal is paid once', async () => {
    await eventually('all to be paid', async () => {
      stack.chain.control.mine();
      const answers = await Promise.all(paths.map((path) => stack.service.get(path)));
      return answers.every(({ body }) => Object(body).state === 'succeeded');
    });
    const taken = await stack.service.accepted(anyWithdrawal(BEYOND));
    await eventually('the rejected one to be paid', async () => {
      stack.chain.control.mine();
      return Object((await stack.service.get(taken)).body).state === 'succeeded';
    });
    for (const index of [...TAKEN, BEYOND]) expect(await timesPaid(stack.chain, index)).toBe(1);
  });
});

describe('a queue that one network fills', () => {
  let stack: Stack;
  afterAll(() => stack.stop());

  it('T6 W1 the queue still accepts another network’s caller after one network has used up its share', async () => {
    stack = await Stack.start({
      cadence: 'manual',
      verificationKey: trapdoorKey,
      env: { TRUST_PROXY: '1', MAX_IN_FLIGHT_PER_LANE: '1', MAX_WAITING_PER_ROLE: '8' },
    });
    fillPool(stack.chain);
    stack.chain.control.mine();
    await stack.service.ready();
    const withdrawFrom = async (address: string, index: number): Promise<unknown> => {
      const headers = { 'x-forwarded-for': address, prefer: 'respond-async' };
      const { status, body } = await stack.service.withdraw(anyWithdrawal(index), { headers });
      return status === 202 ? 'accepted' : Object(body).code;
    };
    expect(await withdrawFrom('203.0.113.1', 0)).toBe('accepted');
    await eventually(
      'the first to be sent',
      () => stack.chain.control.counters().calls[SEND] === 1,
    );
    const answers: unknown[] = [];
    for (let index = 1; index <= 8; index += 1)
      answers.push(await withdrawFrom(`203.0.113.${index + 1}`, index));
    // The first submission may be counted as waiting for a moment after it was sent.
    expect(answers.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => 'accepted'));
    expect(answers.slice(5)).toEqual(Array.from({ length: 3 }, () => 'QUEUE_FULL'));
    expect(await withdrawFrom('198.51.100.9', 9)).toBe('accepted');
  });
});
