import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from '@sotto/fault-proxy';
import { systemClock, toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import type { TestChain } from './support/chain.js';
import { anyWithdrawal, fillPool, timesPaid } from './support/load.js';
import { Stack } from './support/stack.js';

/** Time in which the proxy routes requests to both replicas, in ms. */
const MIXED_MS = 1_000;
/** Timeout of a wait in these tests, in ms, which is longer than any poll. */
const SOON_MS = 120_000;
const OPERATOR = 'operator-token-of-the-tests-0123456789';
const HEAD = 'starknet_chainId';
const HEAD_AND_HASH = 'starknet_blockHashAndNumber';

type Body = Readonly<Record<string, unknown>>;

const alternate = (): Route => ({ kind: 'alternate' });
/**
 * Routes queries for the hash of the newest block to the replica with the old chain, and all other
 * requests to the replica with the present chain.
 */
const oldHashes = (old: number): Route => ({
  kind: 'by-method',
  method: HEAD_AND_HASH,
  target: old,
  otherwise: 0,
});

describe('two replicas at one address', () => {
  let stack: Stack;
  /** Chain that the service must follow at the end of a test. */
  let chain: TestChain;
  beforeAll(async () => {
    stack = await Stack.start({
      cadence: 'manual',
      isProxied: true,
      verificationKey: trapdoorKey,
      env: {
        WAIT_FOR_CONFIRMATION_MS: '1000',
        OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR }),
        RATE_LIMIT_QUOTES_PER_MINUTE: '10000',
      },
    });
    chain = stack.chain;
    fillPool(chain);
    chain.control.mine();
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const submission = async (path: string): Promise<Body> =>
    Object((await stack.service.get(path)).body);
  const is = (path: string, expected: Body, deadlineMs = SOON_MS): Promise<Body> =>
    eventually(
      `${path} to be ${JSON.stringify(expected)}`,
      async () => {
        const body = await submission(path);
        return Object.entries(expected).every(([name, value]) => body[name] === value) && body;
      },
      deadlineMs,
    );
  const operatorStatus = async (): Promise<Body> => {
    const headers = { Authorization: `Bearer ${OPERATOR}` };
    return Object((await stack.service.get('/api/operator/status', headers)).body);
  };
  const heads = (): number => stack.proxy.counters().calls[HEAD] ?? 0;
  /**
   * Waits until the service has polled the chain this many times and compared it with the ledger.
   */
  const polls = async (count = 3): Promise<void> => {
    const until = heads() + count;
    await eventually('the service to poll', () => heads() >= until, SOON_MS);
  };
  const sent = (count = 1): Promise<boolean> =>
    eventually(
      `${count} transactions to wait for a block`,
      () => chain.waiting().length === count,
      SOON_MS,
    );
  /** Withdraws these notes, each in a separate block. @returns paths of the submissions */
  const withdraw = async (...notes: readonly number[]): Promise<readonly string[]> => {
    const paths: string[] = [];
    for (const note of notes) {
      const path = await stack.service.accepted(anyWithdrawal(note));
      await sent();
      chain.control.mine();
      await is(path, { state: 'succeeded' });
      paths.push(path);
    }
    await polls();
    return paths;
  };
  const isOnChain = async (path: string, note: number): Promise<void> => {
    const { transaction_hash: hash } = await is(path, { state: 'succeeded' });
    expect(chain.inclusions().map((inclusion) => toFelt(inclusion.hash))).toContain(hash);
    expect(await timesPaid(chain, note)).toBe(1);
  };

  it.each([
    ['that alternate', 0, alternate],
    ['of which the old one returns the hashes of blocks', 1, oldHashes],
  ])(
    'T4b: two replicas %s cannot make the service report ACCEPTED_ON_L1 for a withdrawal that is on no chain',
    async (_which, note, route) => {
      const [path = ''] = await withdraw(note);
      const old = await stack.fork();
      chain.control.rollback(1, 'vanish');
      chain.control.mine(2);
      expect(await timesPaid(chain, note)).toBe(0);

      stack.proxy.route(route(old.target));
      await systemClock.sleep(MIXED_MS);
      stack.proxy.route({ kind: 'fixed', target: 0 });
      chain.control.acceptOnL1();
      const { finality } = await eventually(
        'the withdrawal to be final, or to be sent again',
        async () => {
          const body = await submission(path);
          return (body['finality'] === 'ACCEPTED_ON_L1' || chain.waiting().length > 0) && body;
        },
        SOON_MS,
      );
      expect(finality).not.toBe('ACCEPTED_ON_L1');
      expect((await stack.service.withdraw(anyWithdrawal(note))).body).toMatchObject({
        execution_status: 'UNKNOWN',
      });
      chain.control.mine();
      await isOnChain(path, note);
      await stack.service.ready();
    },
  );

  it('reports no success for withdrawals that a rollback of blocks removed, even if the new chain is shorter than the old chain', async () => {
    const [first = '', second = ''] = await withdraw(10, 11);
    chain.control.rollback(2, 'vanish');
    chain.control.mine();
    // The second withdrawal was in a block whose height is above the new head.
    await is(first, { state: 'broadcast', execution_status: 'UNKNOWN' }, SOON_MS);
    await is(second, { state: 'broadcast', execution_status: 'UNKNOWN' }, SOON_MS);
    await sent(2);
    chain.control.mine();
    await isOnChain(first, 10);
    await isOnChain(second, 11);
    expect(chain.inclusions().every(({ executionStatus }) => executionStatus === 'SUCCEEDED')).toBe(
      true,
    );
  });

  it.each([
    ['nonsense instead of blocks', 'starknet_getBlockWithTxHashes', { block: 'seven' }, 30],
    ['a text that is no nonce', 'starknet_getNonce', ['no', 'nonce'], 31],
  ])(
    'while the node answers %s, the service sends nothing, loses no request, and reports the node as the cause',
    async (_what, method, result, note) => {
      stack.proxy.addFault({ method, fault: { kind: 'answer', result }, times: 'always' });
      const { verdict } = await eventually('the service to notice', async () => {
        const { status } = await stack.service.get('/health/ready');
        return status === 503 && operatorStatus();
      });
      expect(JSON.stringify(verdict)).toMatch(/NODE_MALFORMED|NODE_UNREACHABLE|ACCOUNT_NOT_READ/);
      await stack.service.withdraw(anyWithdrawal(note), { headers: { prefer: 'respond-async' } });
      await polls();
      expect(chain.waiting()).toEqual([]);
      stack.proxy.clearFaults();
      await stack.service.ready();
      const [path = ''] = await withdraw(note);
      await isOnChain(path, note);
    },
  );

  it('a final withdrawal is no longer final if two polls contradict its block', async () => {
    const [path = ''] = await withdraw(20);
    const other = await stack.fork();
    chain.control.acceptOnL1();
    await is(path, { finality: 'ACCEPTED_ON_L1' });

    other.chain.control.rollback(1, 'vanish');
    other.chain.control.mine(2);
    chain = other.chain;
    stack.proxy.route({ kind: 'fixed', target: other.target });
    await eventually(
      'the withdrawal to be open again',
      async () => {
        chain.control.advance('accepted_on_l2');
        return (await submission(path))['state'] !== 'succeeded';
      },
      SOON_MS,
    );
    expect(await operatorStatus()).toMatchObject({ alarms: { reopenedFinalNonces: 1 } });
    const again = await stack.service.accepted(anyWithdrawal(20));
    await eventually('it to be sent again', () => chain.waiting().length > 0, SOON_MS);
    await eventually(
      'it to succeed',
      async () => {
        chain.control.mine();
        return (await submission(again))['state'] === 'succeeded';
      },
      SOON_MS,
    );
    await isOnChain(again, 20);
    await stack.service.ready();
  });
});
