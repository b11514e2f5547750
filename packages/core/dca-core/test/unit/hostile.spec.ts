import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  LedgerBehindChain,
  QueueFull,
  type Submissions,
  type CallSimulator,
} from '@sotto/submission-core';
import { withChanged } from '@sotto/submission-core/testing';
import { readExecution } from '../../src/domain/execution.js';
import { BTC_USD_E8, PurchaseWorld } from '../support/world.js';

const HOUR = 3_600;

/**
 * Wraps submissions so that `step` runs once, right before a call is submitted. The step is an
 * event outside the keeper, for example an execution by another keeper.
 */
function beforeSubmit(step: () => unknown) {
  let hasRun = false;
  return (submissions: Submissions): Submissions =>
    withChanged(submissions, {
      async submit(submission) {
        if (!hasRun) {
          hasRun = true;
          await step();
        }
        return submissions.submit(submission);
      },
    });
}

class Killed extends Error {}

describe('PurchaseTask in a hostile world', () => {
  let world: PurchaseWorld;
  beforeEach(() => {
    world = new PurchaseWorld();
  });

  /** Executes the order once, and advances the time until its next execution is due. */
  async function executeOnce(): Promise<void> {
    await world.round();
    await world.land(await world.lastAttempt());
    world.pass(2 * HOUR);
  }

  /**
   * Returns a simulator that first runs `step`, an event outside the keeper, and then simulates on
   * the newest block.
   */
  const after = (step: () => void): CallSimulator => ({
    simulate(call) {
      step();
      world.chain.mine();
      return world.simulate(call);
    },
  });

  const minimumOfLast = async (): Promise<bigint> => {
    const calldata = await world.ledger.calldata((await world.lastAttempt()).id);
    const call = calldata && readExecution(world.contract.layout.execution, calldata);
    if (call === null) throw new Error('no execution was submitted');
    return call.minimumSats;
  };

  const refusing = (rejection: QueueFull | LedgerBehindChain) =>
    world.aKeeper({
      slowSubmissions: (submissions) =>
        withChanged(submissions, { checkQueueCapacity: async () => rejection }),
    });

  describe('an order that changes between the check and the send', () => {
    it('reports EXECUTED_BY_ANOTHER if another keeper executed the order after the check', async () => {
      const order = world.create();
      const keeper = world.aKeeper({ simulator: after(() => world.chain.execute(order)) });
      const report = (await world.round(keeper)).get('1');
      expect(report).toMatchObject({ outcome: 'skipped', reason: 'EXECUTED_BY_ANOTHER' });
      expect(await world.attempts()).toEqual([]);
      world.pass(2 * HOUR);
      expect((await world.round()).get('1')).toMatchObject({ details: { executed: 1 } });
    });

    it('submits nothing for an order that its owner cancelled after the check', async () => {
      const order = world.create();
      const cancel = () => world.chain.change(order, { isCancelled: true });
      const keeper = world.aKeeper({ simulator: after(cancel) });
      expect((await world.round(keeper)).get('1')).toMatchObject({ reason: 'ORDER_ENDED' });
      expect(await world.attempts()).toEqual([]);
    });

    it('reports the contract’s revert reason if the simulation of an execution reverts', async () => {
      world.create();
      const simulator = {
        simulate: async () => ({ ok: false as const, reason: 'DCA: paused' }),
      };
      expect((await world.round(world.aKeeper({ simulator }))).get('1')).toMatchObject({
        reason: 'SIMULATION_REVERTED',
        details: { reason: 'DCA: paused' },
      });
    });

    it('the keeper learns from its reverted call that another keeper has executed the order', async () => {
      const order = world.create();
      await world.round();
      const attempt = await world.lastAttempt();
      world.chain.execute(order);
      world.chain.mine();
      expect(await world.land(attempt)).toBe('REVERTED');
      expect((await world.round()).get('1')).toMatchObject({ reason: 'EXECUTED_BY_ANOTHER' });
      world.pass(2 * HOUR);
      expect((await world.round()).get('1')).toMatchObject({
        outcome: 'acted',
        details: { executed: 1 },
      });
    });

    it('the keeper plans an order’s next execution only after its own delayed call has ended', async () => {
      const order = world.create();
      await world.round();
      const late = await world.lastAttempt();
      await world.send(late);
      world.chain.execute(order);
      world.pass(2 * HOUR);
      // If the call for the first execution were included now, it would be the order's second
      // execution.
      expect((await world.round()).get('1')).toMatchObject({ reason: 'IN_FLIGHT' });
      expect(await world.land(late)).toBe('SUCCEEDED');
      expect((await world.round()).get('1')).toMatchObject({ reason: 'NOT_DUE' });
      expect(await world.attempts()).toHaveLength(1);
    });
  });

  describe('several keepers', () => {
    it('submits one transaction when two keepers check an order concurrently', async () => {
      world.create();
      const keepers = [world.aKeeper(), world.aKeeper()];
      await Promise.all(keepers.map((keeper) => keeper.subjects()));
      const reports = await Promise.all(keepers.map((keeper) => world.attend(1n, keeper)));
      expect(reports).toMatchObject([
        { outcome: 'acted', submissionId: 'execution-1' },
        { outcome: 'acted', submissionId: 'execution-1' },
      ]);
      const attempts = await world.attempts();
      expect(attempts).toHaveLength(1);
    });

    it('submits nothing if another keeper executed the order between the check and the submission', async () => {
      world.create();
      const slow = world.aKeeper({
        slowSubmissions: beforeSubmit(async () => {
          await world.round();
          await world.land(await world.lastAttempt());
        }),
      });
      const report = (await world.round(slow)).get('1');
      expect(report).toMatchObject({ outcome: 'acted', submissionId: 'execution-1' });
      expect(await world.attempts()).toHaveLength(1);
    });

    it('does not submit the next execution if the last execution happened after the check', async () => {
      world.create();
      await executeOnce();
      const slow = world.aKeeper({
        slowSubmissions: beforeSubmit(async () => {
          await executeOnce();
        }),
      });
      await world.round(slow);
      expect((await world.attempts()).map(({ memo }) => memo)).toEqual(['1|0', '1|1']);
    });
  });

  describe('a crash', () => {
    it.each(['before the submission', 'after the submission'] as const)(
      '%s: the restarted process completes the execution exactly once',
      async (moment) => {
        world.create();
        const killed = world.aKeeper({
          slowSubmissions: (submissions) =>
            withChanged(submissions, {
              async submit(submission) {
                if (moment === 'after the submission') await submissions.submit(submission);
                throw new Killed();
              },
            }),
        });
        await killed.subjects();
        await expect(world.attend(1n, killed)).rejects.toBeInstanceOf(Killed);
        const restarted = world.aKeeper();
        const report = (await world.round(restarted)).get('1');
        expect(report).toMatchObject(
          moment === 'before the submission' ? { outcome: 'acted' } : { reason: 'IN_FLIGHT' },
        );
        expect(await world.attempts()).toHaveLength(1);
        await world.land(await world.lastAttempt());
        expect((await world.round(restarted)).get('1')).toMatchObject({ reason: 'NOT_DUE' });
      },
    );

    it('an execution is not sent again after a crash between its inclusion and its record in the ledger', async () => {
      world.create();
      await world.round();
      const attempt = await world.lastAttempt();
      await world.send(attempt);
      await world.include(attempt);
      expect((await world.round(world.aKeeper())).get('1')).toMatchObject({ reason: 'IN_FLIGHT' });
      world.pass(2 * HOUR);
      expect((await world.round(world.aKeeper())).get('1')).toMatchObject({ reason: 'IN_FLIGHT' });
      expect(await world.attempts()).toHaveLength(1);
    });

    it('reads the list of orders from the chain again if the list is lost', async () => {
      world.create();
      await executeOnce();
      await world.store.forget(world.contract.address);
      expect((await world.round(world.aKeeper())).get('1')).toMatchObject({
        outcome: 'acted',
        details: { executed: 1 },
      });
    });
  });

  describe('a lagging node', () => {
    it('plans no execution from blocks that are older than the keeper’s own last execution', async () => {
      world.create();
      world.chain.mine(30);
      await world.round();
      await world.land(await world.lastAttempt());
      world.chain.mine(5);
      world.chain.lag(20);
      expect(await world.attend(1n)).toMatchObject({ reason: 'NODE_BEHIND' });
      expect(await world.attend(1n, world.aKeeper())).toMatchObject({ reason: 'NODE_BEHIND' });
      world.chain.lag(0);
      expect(await world.attend(1n)).toMatchObject({ reason: 'NOT_DUE' });
      expect(await world.attempts()).toHaveLength(1);
    });

    it('a restarted keeper plans no execution from blocks that are older than its last execution', async () => {
      world.create();
      await executeOnce();
      await executeOnce();
      world.chain.mine(30);
      await world.round();
      await world.land(await world.lastAttempt());
      world.chain.lag(20);
      expect(await world.attend(1n, world.aKeeper())).toMatchObject({ reason: 'NODE_BEHIND' });
      expect(await world.attempts()).toHaveLength(3);
    });
  });

  describe('a rollback', () => {
    it('waits for the transaction of an execution that a rollback of blocks has removed', async () => {
      world.create();
      world.chain.mine(5);
      await world.round();
      const attempt = await world.lastAttempt();
      await world.land(attempt);
      world.chain.rollback(1);
      world.chain.mine(3);
      // The reorg is not yet recorded in the ledger, and the contract's count is the one before the
      // execution.
      expect((await world.round()).get('1')).toMatchObject({ reason: 'NODE_BEHIND' });
      await world.reopen(attempt);
      expect((await world.round()).get('1')).toMatchObject({ reason: 'IN_FLIGHT' });
      world.pass(2 * HOUR);
      expect((await world.round()).get('1')).toMatchObject({ reason: 'IN_FLIGHT' });
      expect(await world.include(attempt)).toBe('SUCCEEDED');
      await world.settle(attempt);
      expect((await world.round()).get('1')).toMatchObject({ reason: 'NOT_DUE' });
      expect(await world.attempts()).toHaveLength(1);
    });

    it('plans no next execution from a chain that lacks the block of the last execution', async () => {
      world.create();
      await world.round();
      const attempt = await world.lastAttempt();
      await world.land(attempt);
      world.chain.rollback(1);
      world.chain.execute(1n);
      world.pass(2 * HOUR);
      expect((await world.round()).get('1')).toMatchObject({ reason: 'NODE_BEHIND' });
      expect(await world.attempts()).toHaveLength(1);
    });
  });

  describe('manipulated prices', () => {
    it('never accepts a swap output below the fair value minus the maximum price impact', async () => {
      world.create();
      const fairSats = 1_000_000n;
      const minimums: bigint[] = [];
      for (const percent of [1n, 50n, 97n, 98n, 99n, 100n, 150n]) {
        world.aggregator.offer((quotes) =>
          quotes.map((quote) => ({ ...quote, buyAmount: (fairSats * percent) / 100n })),
        );
        const report = (await world.round()).get('1');
        expect(report).toMatchObject(
          percent < 99n ? { reason: 'PRICE_IMPACT_TOO_HIGH' } : { outcome: 'acted' },
        );
        world.pass(HOUR);
        if (percent < 99n) continue;
        minimums.push(await minimumOfLast());
        await world.expire(await world.lastAttempt());
        world.pass(HOUR);
      }
      // The fair value is 1,000,000 sats, and the maximum impact is 2 %.
      expect(minimums).toHaveLength(3);
      expect(minimums.every((minimum) => minimum >= 980_000n)).toBe(true);
    });

    it('the minimum output uses the higher of two fair values', async () => {
      // The slippage tolerance alone would allow 900,000 sats.
      world = new PurchaseWorld({ policy: { slippagePpm: 100_000 } });
      world.create();
      const [, two] = world.sources;
      const observedAtMs = world.clock.nowMs();
      two.set([
        { asset: 'STRK', usdE8: 4_000_000n, observedAtMs },
        { asset: 'WBTC', usdE8: (BTC_USD_E8 * 992n) / 1_000n, observedAtMs },
        { asset: 'USDC', usdE8: 100_000_000n, observedAtMs },
      ]);
      await world.round();
      // The minimum is 98 % of the 1,008,064 sats at the cheaper price.
      expect(await minimumOfLast()).toBeGreaterThanOrEqual(987_903n);
    });

    it('skips a smart order at any price while one source returns forged closing prices', async () => {
      const [alpha] = world.closes;
      const day = Math.floor(world.chain.head.timestamp / 86_400);
      for (let each = day - 200; each < day; each += 1) alpha?.set(each, BTC_USD_E8 / 2n);
      world.create({ isSmart: true });
      expect((await world.round()).get('1')).toMatchObject({ reason: 'MAYER_UNKNOWN' });
    });
  });

  describe('an unavailable ledger', () => {
    it('reports QUEUE_FULL as the reason of a skipped order if the queue is full', async () => {
      world.create();
      const keeper = refusing(new QueueFull({ retryAfterSeconds: 5 }));
      expect((await world.round(keeper)).get('1')).toMatchObject({ reason: 'QUEUE_FULL' });
      expect(world.aggregator.requested).toEqual([]);
    });

    it('an order’s check fails while the ledger is behind its chain', async () => {
      world.create();
      const keeper = refusing(new LedgerBehindChain({ retryAfterSeconds: 30 }));
      await keeper.subjects();
      await expect(world.attend(1n, keeper)).rejects.toBeInstanceOf(LedgerBehindChain);
      expect(await world.attempts()).toEqual([]);
    });

    it('the keeper retries a reverted execution only after the revert is final', async () => {
      const order = world.create();
      await world.round();
      const attempt = await world.lastAttempt();
      await world.send(attempt);
      world.chain.change(order, { lastExecution: BigInt(world.chain.head.timestamp) });
      expect(await world.include(attempt)).toBe('REVERTED');
      await world.settle(attempt);
      world.pass(2 * HOUR);
      expect((await world.round()).get('1')).toMatchObject({ reason: 'PREVIOUS_NOT_FINAL' });
      await world.finalize(attempt);
      world.pass(60);
      expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
    });
  });
});
