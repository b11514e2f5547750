import { afterEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually } from '@sotto/process-kit';
import { IN_A_BLOCK } from '../support/finality.js';
import { Stack } from './support/stack.js';
import { good, pool, vector } from './support/withdrawals.js';

const CHECKPOINTS = ['accepted', 'prepared', 'sent', 'settling'] as const;
type Failpoint = (typeof CHECKPOINTS)[number];

/**
 * True if the service's transaction has reached the node when the service is killed at this
 * checkpoint.
 */
const REACHES_THE_NODE: Readonly<Record<Failpoint, boolean>> = {
  accepted: false,
  prepared: false,
  sent: true,
  settling: true,
};

describe('a service that is killed', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  // In this chain, the pool's contract would pay twice for the same note. So a test would detect a
  // transaction that is included twice.
  const start = async (
    checkpoint: Failpoint,
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    stack = await Stack.start({
      genesis: { enforceNullifier: false },
      env: { ...env, SOTTO_FAILPOINT: checkpoint },
    });
  };
  const neverCrash = { SOTTO_FAILPOINT: '' };
  const killed = async (): Promise<void> =>
    expect(await stack.service.ended).toEqual({ code: null, signal: 'SIGKILL' });
  /** Sends the request. The request fails if the process is killed before it responds. */
  const request = async (): Promise<Answer | undefined> =>
    stack.service.withdraw(good).catch(() => undefined);
  const settled = (id: string | undefined): Promise<unknown> =>
    eventually('the submission to be settled', async () => {
      const { body } = await stack.service.get(`/api/relayer/submissions/${id}`);
      return Object(body).state === 'succeeded' && body;
    });
  const deliveredTo = (): readonly string[] =>
    Object.keys(stack.chain.control.counters().deliveries);

  it.each(CHECKPOINTS)(
    'a submission is included once even if the service is killed after "%s" and restarted',
    async (checkpoint) => {
      await start(checkpoint);
      const early = await request();
      await killed();
      const before = stack.ledger();
      expect(before.attempts).toHaveLength(1);
      expect(before.transactions).toHaveLength(checkpoint === 'accepted' ? 0 : 1);
      expect(deliveredTo()).toHaveLength(REACHES_THE_NODE[checkpoint] ? 1 : 0);
      const [attempt] = before.attempts;
      const [signed] = before.transactions;

      await stack.restart(neverCrash);
      const body = await settled(attempt?.id);
      expect(body).toMatchObject({
        attempt: 1,
        execution_status: 'SUCCEEDED',
        finality: IN_A_BLOCK,
      });
      const hash: unknown = Object(body).transaction_hash;
      // The hash that was signed before the crash is still valid, and so is a response that the
      // caller got before the crash.
      expect(signed?.hash ?? hash).toBe(hash);
      expect(
        early?.body ?? {
          transaction_hash: hash,
          execution_status: 'SUCCEEDED',
          revert_reason: null,
        },
      ).toEqual({
        transaction_hash: hash,
        execution_status: 'SUCCEEDED',
        revert_reason: null,
      });

      const again = await stack.service.withdraw(good);
      expect([again.status, again.body]).toEqual([
        200,
        { transaction_hash: hash, execution_status: 'SUCCEEDED', revert_reason: null },
      ]);
      expect(again.headers.get('location')).toBe(`/api/relayer/submissions/${attempt?.id}`);
      expect(await onlyInclusion()).toBe(hash);
    },
  );

  it('a submission is settled even if the service is killed at every checkpoint', async () => {
    await start('accepted');
    await request();
    await killed();
    const [attempt] = stack.ledger().attempts;
    for (const checkpoint of CHECKPOINTS.slice(1)) {
      await stack.restart({ SOTTO_FAILPOINT: checkpoint });
      await killed();
    }
    await stack.restart(neverCrash);
    const body = await settled(attempt?.id);
    expect(stack.ledger().attempts).toHaveLength(1);
    expect(await onlyInclusion()).toBe(Object(body).transaction_hash);
  });

  it('ten requests that are repeated after a kill all receive the result of one inclusion', async () => {
    await start('prepared');
    await Promise.all(Array.from({ length: 10 }, request));
    await killed();
    const service = await stack.restart(neverCrash);
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.withdraw(good)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const [first] = answers;
    await settled(first?.headers.get('location')?.split('/').at(-1));
    expect(await onlyInclusion()).toBe(Object(first?.body).transaction_hash);
  });

  it('a second instance leases the lane when the lease of the killed instance has expired', async () => {
    await start('prepared', { LEASE_TTL_MS: '1000' });
    await request();
    await killed();
    const [attempt] = stack.ledger().attempts;
    await stack.restart({ ...neverCrash, INSTANCE_ID: 'another' });
    const body = await settled(attempt?.id);
    expect(await onlyInclusion()).toBe(Object(body).transaction_hash);
  });

  /**
   * Returns the hash of the service's only transaction. Checks that the transaction was delivered
   * once, that its fee was paid once, and that the recipient was paid once.
   */
  async function onlyInclusion(): Promise<string | undefined> {
    const [hash] = deliveredTo();
    expect(stack.chain.control.counters().deliveries).toEqual({ [hash ?? 'none']: 1 });
    expect(stack.chain.inclusions().map((inclusion) => toFelt(inclusion.hash))).toEqual([hash]);
    expect(stack.ledger().transactions.map((transaction) => transaction.hash)).toEqual([hash]);
    expect(await stack.chain.wbtcOf(BigInt(vector.recipient))).toBe(
      pool.denomination - BigInt(vector.feeSats),
    );
    return hash;
  }
});
