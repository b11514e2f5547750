import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { SettledAttempt } from '../../src/circuit-breaker/domain/settled-attempt.js';
import { moneyOf } from '../../src/circuit-breaker/domain/pool-pnl.js';
import type { MoneyEntry } from '../../src/index.js';
import { LIMITS, SNAPSHOT_MS, anEntry, entered } from '../support/guard-world.js';
import { FIRST_HASH, aSwapWorld, deposit } from '../support/swap-world.js';
import { calldataWith, proofOf, vector } from '../support/vector.js';
import { NOW_MS, aWorld, pool } from '../support/world.js';

const STRK = 10n ** 18n;

describe('an outcome that a rollback revokes', () => {
  it('a withdrawal whose block is rolled back is pending again', async () => {
    const world = aWorld();
    const { submissionId } = await world.submit();
    world.submissions.execute(submissionId, 'SUCCEEDED');
    expect(await world.submit()).toMatchObject({ answer: { kind: 'executed' } });
    world.submissions.undo(submissionId);
    expect(await world.submit()).toMatchObject({
      submissionId,
      answer: { kind: 'pending', attempt: { undone: { execution: 'SUCCEEDED' } } },
    });
    world.submissions.execute(submissionId, 'REVERTED');
    expect(await world.submissions.find(submissionId)).toMatchObject({
      execution: 'REVERTED',
      finality: 'ACCEPTED_ON_L2',
    });
    world.submissions.finalize(submissionId);
    expect(await world.submissions.find(submissionId)).toMatchObject({
      execution: 'REVERTED',
      finality: 'ACCEPTED_ON_L1',
    });
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a withdrawal whose block is rolled back still blocks a request with other terms for the same note', async () => {
    const world = aWorld();
    const { submissionId } = await world.submit();
    world.submissions.execute(submissionId, 'SUCCEEDED');
    const other = calldataWith({ recipient: accountAddress(0x7e11e5n) });
    world.verifier.accept(proofOf(other));
    await expect(world.submit(other)).rejects.toMatchObject({ code: 'NULLIFIER_SPENT' });
    world.submissions.undo(submissionId);
    await expect(world.submit(other)).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
  });

  it('a swap whose block is rolled back is pending again, and its leaf is no longer returned', async () => {
    const world = aSwapWorld();
    world.submissions.executeAll('SUCCEEDED');
    world.deposits.setSwapDeposit(FIRST_HASH, deposit);
    const { submissionId } = await world.swap();
    world.submissions.undo(submissionId);
    expect(await world.swap()).toMatchObject({
      submissionId,
      leafIndex: null,
      outputAmount: null,
      answer: { kind: 'pending' },
    });
    const answer = await world.submissions.find(submissionId);
    expect(answer && (await world.outcomes.describe(answer))).toMatchObject({
      leafIndex: null,
      outputAmount: null,
    });
  });

  it('a rollback does not change the pin of a swap: the commitment belongs to its note permanently', async () => {
    const world = aSwapWorld();
    const { submissionId } = await world.swap();
    world.submissions.execute(submissionId, 'SUCCEEDED');
    const proofCalldata = calldataWith({ nullifierHash: BigInt(vector.publicInputs[1] ?? 0) - 1n });
    world.verifier.accept(proofOf(proofCalldata));
    world.clock.pass(60_000);
    await expect(world.swap({ proofCalldata })).rejects.toMatchObject({
      code: 'COMMITMENT_IN_PROGRESS',
    });
    world.submissions.undo(submissionId);
    await expect(world.swap({ proofCalldata })).rejects.toMatchObject({
      code: 'COMMITMENT_IN_PROGRESS',
    });
    world.submissions.execute(submissionId, 'REVERTED');
    await expect(world.swap({ proofCalldata })).rejects.toMatchObject({
      code: 'COMMITMENT_IN_PROGRESS',
    });
    expect(await world.swap()).toMatchObject({ submissionId: 'attempt-2' });
  });
});

const spent = (changes: Partial<MoneyEntry> = {}): MoneyEntry =>
  anEntry(pool, NOW_MS - 60_000, { gasPaidFri: 3n * STRK, ...changes });

describe('money of an outcome that a rollback revokes', () => {
  it('an attempt whose outcome has changed is counted only once', async () => {
    const { guarding, clock } = aWorld();
    const first = spent();
    guarding.money.end(first);
    expect((await guarding.view.now()).ended.spentFri(null, 0)).toBe(3n * STRK);
    guarding.money.undo(first.id);
    guarding.money.end({ ...first, state: 'reverted', gasPaidFri: 2n * STRK, endedAtMs: NOW_MS });
    clock.pass(SNAPSHOT_MS);
    const { ended } = await guarding.view.now();
    expect(ended.entries.map(({ state }) => state)).toEqual(['reverted']);
    expect(ended.spentFri(null, 0)).toBe(2n * STRK);
  });

  it('an attempt is not counted as a success while a rollback has put its transaction back in flight', async () => {
    const { guarding, clock } = aWorld();
    const [first, other] = [spent(), spent()];
    guarding.money.end(first);
    guarding.money.end(other);
    await guarding.view.now();
    guarding.money.undo(first.id);
    guarding.money.begin({ ...first, isWaiting: false, costFri: STRK });
    clock.pass(SNAPSHOT_MS);
    const { ended, live } = await guarding.view.now();
    expect([ended.entries, live.map(({ key }) => key)]).toEqual([[other], [first.key]]);
  });

  it('a pause for reverts ends within a minute if a rollback revokes one of these reverts', async () => {
    const { guarding, clock } = aWorld();
    const run = Array.from({ length: LIMITS.revertsInARow }, () =>
      spent({ state: 'reverted', gasPaidFri: 1n }),
    );
    for (const entry of run) guarding.money.end({ ...entry, endedAtMs: NOW_MS });
    expect(await guarding.guard.peek(pool, 'relay')).toMatchObject({
      details: { cause: 'reverts' },
    });
    guarding.money.undo(run[0]?.id ?? '');
    clock.pass(LIMITS.pauseMs);
    expect(await guarding.guard.peek(pool, 'relay')).toBeNull();
    expect(await guarding.guard.pools()).toMatchObject([{ relays: { kind: 'open' } }]);
  });
});

const adopted = (changes: Partial<MoneyEntry> = {}): MoneyEntry =>
  anEntry(pool, NOW_MS - 1_000, {
    terms: null,
    kind: 'withdraw',
    gasPaidFri: STRK,
    ...changes,
  });

describe('money of an outcome that was adopted from the chain', () => {
  it('an outcome adopted from the chain does not extend a series of losses or reverts', async () => {
    const { guarding } = aWorld();
    for (let run = 0; run < LIMITS.lossesInARow; run += 1) {
      guarding.money.end(adopted({ gasPaidFri: 1n }));
      guarding.money.end(adopted({ gasPaidFri: 1n, state: 'reverted' }));
    }
    expect([
      await guarding.guard.peek(pool, 'relay'),
      await guarding.guard.peek(pool, 'batch'),
    ]).toEqual([null, null]);
  });

  it('the pool’s income, costs and budget include an outcome that was adopted from the chain', async () => {
    const entries = [
      adopted(),
      adopted({ state: 'reverted' }),
      anEntry(pool, NOW_MS, { terms: null, gasPaidFri: 5n }),
    ];
    const money = moneyOf(pool, new SettledAttempt(entries), []);
    expect(money).toMatchObject({
      succeeded: 2,
      reverted: 1,
      losses: 0,
      spentFri: 2n * STRK + 5n,
      earnedFri: 0n,
    });
    const { guarding } = aWorld();
    guarding.money.end(adopted({ gasPaidFri: LIMITS.hourlyGasPerPoolFri }));
    expect(await guarding.guard.peek(pool, 'batch')).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
  });
});

describe('steps of the wall clock', () => {
  it('jumps of the wall clock do not change when the history of attempts is read again', async () => {
    const world = aWorld();
    await world.guarding.view.now();
    world.clock.step(-3_600_000);
    await world.guarding.view.now();
    expect(world.guarding.money.reads).toBe(1);
    world.clock.pass(SNAPSHOT_MS);
    await world.guarding.view.now();
    expect(world.guarding.money.reads).toBe(2);
    world.clock.step(7_200_000);
    await world.guarding.view.now();
    expect(world.guarding.money.reads).toBe(2);
  });

  it('jumps of the wall clock do not release reservations of the budget', async () => {
    const { guarding, clock } = aWorld();
    await guarding.view.now();
    clock.step(-3_600_000);
    await entered(guarding.guard, pool, '0x5e|0x1|0x1', LIMITS.hourlyGasInAllFri);
    expect(await guarding.guard.peek(pool, 'relay')).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
    clock.pass(SNAPSHOT_MS);
    expect(await guarding.guard.peek(pool, 'relay')).toBeNull();
  });

  it('jumps of the wall clock do not end the wait for a swap’s receipt early', async () => {
    const world = aSwapWorld();
    world.submissions.executeAll('SUCCEEDED');
    const before = world.clock.monotonicMs();
    world.deposits.swapDepositOf = async () => {
      world.clock.step(-3_600_000);
      return null;
    };
    expect(await world.swap({ waitMs: 5_000 })).toMatchObject({
      answer: { kind: 'pending' },
      leafIndex: null,
    });
    expect(world.clock.monotonicMs() - before).toBe(5_000);
  });
});
