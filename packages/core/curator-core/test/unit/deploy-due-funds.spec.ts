import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import { withChanged } from '@sotto/submission-core/testing';
import type { DeployDueFunds } from '../../src/index.js';
import { CHAIN_ID, CURATOR, VaultWorld, duePolicy, sentinel } from '../support/world.js';

const AMOUNT = 500_000n;
const { settleSeconds, maxSatsPerCall } = duePolicy;
/**
 * Gas cost in fri that is worth 166,667 sats at the prices of this test: a third of the idle
 * balance.
 */
const DEAR_FRI = 10n ** 21n;

describe('DeployDueFunds', () => {
  let world: VaultWorld;
  let keeper: DeployDueFunds;
  const wait = (seconds: number): void => {
    world.clock.advance(seconds * 1_000);
    world.funds.snapshots.passTime(seconds);
    world.funds.snapshots.mine();
  };
  /** Runs a check, waits for the settle time, and runs another check. */
  const pollTwice = async () => {
    await world.attend(keeper);
    wait(settleSeconds);
    return world.attend(keeper);
  };
  beforeEach(() => {
    world = new VaultWorld();
    keeper = world.aKeeper();
    world.funds.add(sentinel.address, AMOUNT);
  });

  it('each vault is a subject of the deployment task, and the task checks a vault by the vault’s name', async () => {
    expect(await keeper.subjects()).toEqual(['sentinel', 'trident']);
    expect(await keeper.attend('trident', { admit: async () => null })).toMatchObject({
      reason: 'BELOW_THRESHOLD',
    });
  });

  it('the keeper’s deployment of idle funds has the same key as a manual deployment', async () => {
    expect(await world.attend(keeper)).toMatchObject({ reason: 'NOT_SETTLED' });
    wait(settleSeconds - 10);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'NOT_SETTLED' });
    wait(10);
    expect(await world.attend(keeper)).toMatchObject({
      outcome: 'acted',
      details: { amountSats: String(AMOUNT) },
    });
    const attempt = await world.theLive();
    expect(attempt).toMatchObject({
      key: `${CHAIN_ID}|${sentinel.address}|idle|0`,
      kind: 'deploy_idle_funds',
      memo: String(AMOUNT),
    });
    expect(world.simulator.simulated).toMatchObject([{ ...attempt.target, as: CURATOR }]);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'IN_FLIGHT' });
    await world.land(attempt);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'BELOW_THRESHOLD' });
  });

  it('the keeper deploys only funds that were idle for the required time', async () => {
    keeper = world.aKeeper({ costFactor: 0n });
    await world.attend(keeper);
    wait(settleSeconds);
    world.funds.add(sentinel.address, 77_000n);
    expect(await world.attend(keeper)).toMatchObject({ details: { amountSats: String(AMOUNT) } });
    await world.land(await world.theLive());
    expect(await pollTwice()).toMatchObject({ details: { amountSats: '77000' } });
  });

  it('the required idle time before a deployment starts again when the idle balance decreases', async () => {
    await world.attend(keeper);
    wait(settleSeconds);
    world.funds.add(sentinel.address, -1n);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'NOT_SETTLED' });
    wait(settleSeconds);
    expect(await world.attend(keeper)).toMatchObject({
      details: { amountSats: String(AMOUNT - 1n) },
    });
  });

  it('the required idle time before a deployment starts again after a gap in the checks', async () => {
    keeper = world.aKeeper({ intervalMs: 30_000 });
    await world.attend(keeper);
    wait(settleSeconds);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'NOT_SETTLED' });
    const looks = 4;
    for (let poll = 1; poll <= looks; poll += 1) {
      expect(await world.attend(keeper)).toMatchObject({ reason: 'NOT_SETTLED' });
      wait(settleSeconds / looks);
    }
    expect(await world.attend(keeper)).toMatchObject({ outcome: 'acted' });
  });

  it('the keeper discards idle balances from before another keeper’s deployment', async () => {
    keeper = world.aKeeper({ costFactor: 0n });
    const other = world.aKeeper({ costFactor: 0n });
    await world.attend(other);
    await pollTwice();
    await world.land(await world.theLive());
    world.funds.add(sentinel.address, AMOUNT + 77_000n);
    expect(await world.attend(other)).toMatchObject({ reason: 'NOT_SETTLED' });
    wait(settleSeconds);
    expect(await world.attend(other)).toMatchObject({
      details: { amountSats: String(AMOUNT + 77_000n) },
    });
  });

  it('the required idle time before a deployment starts again after a restart of the keeper', async () => {
    await world.attend(keeper);
    wait(settleSeconds);
    keeper = world.aKeeper();
    expect(await world.attend(keeper)).toMatchObject({ reason: 'NOT_SETTLED' });
    wait(settleSeconds);
    expect(await world.attend(keeper)).toMatchObject({ outcome: 'acted' });
  });

  it('the keeper deploys no amount below a multiple of the call’s gas cost', async () => {
    world.simulator.use({ l2Gas: DEAR_FRI, l1Gas: 0n, l1DataGas: 0n });
    expect(await pollTwice()).toMatchObject({ reason: 'BELOW_THRESHOLD' });
    expect(await world.attempts()).toEqual([]);
  });

  it('the keeper estimates the cost of a deployment from the receipts of earlier deployments', async () => {
    await pollTwice();
    const first = await world.theLive();
    await world.land(first);
    world.funds.add(sentinel.address, 700_000n);
    // The receipt reports 2^70 fri: 1,180 STRK, or 196,760 sats. The balance is less than twenty
    // times this cost.
    expect(await pollTwice()).toMatchObject({ reason: 'BELOW_THRESHOLD' });
    keeper = world.aKeeper({ costFactor: 2n });
    expect(await pollTwice()).toMatchObject({
      outcome: 'acted',
      details: { costFri: String(2n ** 70n) },
    });
  });

  it('the keeper limits the deployed amount per call and per day', async () => {
    keeper = world.aKeeper({ costFactor: 0n });
    world.funds.add(sentinel.address, 10n * maxSatsPerCall);
    await world.attend(keeper);
    wait(settleSeconds);
    const amounts = [];
    for (let call = 0; call < 3; call += 1) {
      expect(await world.attend(keeper)).toMatchObject({ outcome: 'acted' });
      const attempt = await world.theLive();
      amounts.push(attempt.memo);
      await world.land(attempt);
      await world.attend(keeper);
      wait(settleSeconds);
    }
    expect(amounts).toEqual(['1000000', '1000000', '500000']);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'DAILY_LIMIT' });
    wait(86_400);
    expect(await pollTwice()).toMatchObject({ outcome: 'acted' });
  });

  it('no deployment is submitted if the simulation reverts or the task’s budget rejects the cost', async () => {
    await pollTwice();
    await world.end(await world.theLive(), 'expired', 'NOT_SENT_IN_TIME');
    world.clock.advance(duePolicy.retry.baseMs);
    const refusing = { admit: async () => 'BUDGET_EXHAUSTED' as const };
    expect(await world.attend(keeper, refusing)).toMatchObject({ reason: 'BUDGET_EXHAUSTED' });
    world.simulator.revert('paused');
    expect(await world.attend(keeper)).toMatchObject({
      reason: 'SIMULATION_REVERTED',
      details: { reason: 'paused' },
    });
    expect(await world.live()).toEqual([]);
  });

  it('the keeper doubles its wait after each failed deployment up to the maximum number of failures', async () => {
    let waitMs: number = duePolicy.retry.baseMs;
    await pollTwice();
    for (let failure = 1; failure < duePolicy.retry.maxFailures; failure += 1) {
      await world.end(await world.theLive(), 'refused', 'ANY_CODE');
      const dueAtMs = world.clock.nowMs() + waitMs;
      expect(await world.attend(keeper)).toMatchObject({ reason: 'BACKING_OFF', dueAtMs });
      world.clock.advance(waitMs);
      expect(await world.attend(keeper)).toMatchObject({ outcome: 'acted' });
      waitMs *= 2;
    }
    await world.end(await world.theLive(), 'refused', 'ANY_CODE');
    world.clock.advance(86_400_000);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'FAILED_TOO_OFTEN' });
    await world.store.resume('curator', 'trident');
    expect(await world.attend(keeper)).toMatchObject({ reason: 'FAILED_TOO_OFTEN' });
    await world.store.resume('curator', null);
    expect(await world.attend(keeper)).toMatchObject({ outcome: 'acted' });
  });

  it('the keeper retries a reverted deployment only after the revert is final', async () => {
    await pollTwice();
    const first = await world.theLive();
    await world.land(first, 'REVERTED');
    world.clock.advance(duePolicy.retry.baseMs);
    wait(settleSeconds);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'PREVIOUS_NOT_FINAL' });
    await world.finalize(first);
    expect(await world.attend(keeper)).toMatchObject({ outcome: 'acted' });
  });

  it('idle funds are deployed once if two keepers and a manual call act concurrently', async () => {
    const other = world.aKeeper();
    for (const each of [keeper, other]) await world.attend(each);
    wait(settleSeconds);
    const [first, second, byHand] = await Promise.all([
      world.attend(keeper),
      world.attend(other),
      world.deploy(),
    ]);
    const { id } = await world.theLive();
    expect(byHand).toMatchObject({ status: 'undecided', submissionId: id });
    expect([first, second].filter(({ outcome }) => outcome === 'acted').length).toBeLessThan(2);
    await world.land(await world.theLive());
    expect(await world.deploy()).toEqual({ status: 'no_idle_funds' });
  });

  it('a keeper that was killed during the submission of a deployment finds this deployment after its restart', async () => {
    keeper = world.aKeeper(
      {},
      {
        slowSubmissions: (kept) =>
          withChanged(kept, {
            submit: async (submission) => {
              await kept.submit(submission);
              throw new Error('killed');
            },
          }),
      },
    );
    await expect(pollTwice()).rejects.toThrow('killed');
    expect(await world.attend(world.aKeeper())).toMatchObject({ reason: 'IN_FLIGHT' });
    expect(await world.attempts()).toHaveLength(1);
  });

  it('no funds are deployed twice while the node is 20 blocks behind', async () => {
    await pollTwice();
    await world.land(await world.theLive());
    world.funds.snapshots.lag(20);
    for (const each of [keeper, world.aKeeper()])
      expect(await world.attend(each)).toMatchObject({ reason: 'NODE_BEHIND' });
    world.funds.snapshots.mine(20);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'BELOW_THRESHOLD' });
    expect(await world.attempts()).toHaveLength(1);
  });

  it('no funds are deployed if no market price can convert the gas cost to sats', async () => {
    world.prices.set([]);
    expect(await pollTwice()).toMatchObject({ reason: 'PRICE_UNAVAILABLE' });
  });

  it('a check of a vault fails with the error of a failed read, and submits nothing', async () => {
    world.funds.failReads();
    await expect(world.attend(keeper)).rejects.toBeInstanceOf(DomainError);
    expect(await world.attempts()).toEqual([]);
  });
});
