import { describe, expect, it } from '@jest/globals';
import { LIMITS, SNAPSHOT_MS, anEntry } from '../support/guard-world.js';
import {
  DEPOSITOR,
  DEPOSIT_FRI,
  aDepositWorld,
  depositsFrom,
  from,
  times,
  type DepositWorld,
} from '../support/deposit-world.js';
import { pool } from '../support/world.js';

const BUDGET_FRI = LIMITS.hourlyLossPerPoolFri;

/** Reverts the newest deposit, and adds a history entry with this cost. */
function revert(world: DepositWorld, gasPaidFri: bigint): void {
  const attempt = world.submissions.attempts.at(-1);
  if (attempt === undefined) throw new Error('no deposit was accepted');
  world.submissions.execute(attempt.id, 'REVERTED');
  const { id, key } = attempt;
  const changes = { id, key, kind: 'deposit', state: 'reverted', terms: null, gasPaidFri } as const;
  world.guarding.money.end(anEntry(pool, world.clock.nowMs(), changes));
  world.clock.pass(SNAPSHOT_MS);
}

const network = (index: number): readonly string[] => [`56 of ${index}`, `48 of ${index}`];

/**
 * Makes one deposit per network, each by a new depositor, and reverts the deposit at this cost.
 * Returns the sum of the costs and the response to each deposit.
 */
async function attack(
  world: DepositWorld,
  networks: readonly (readonly string[])[],
  gasPaidFri: bigint,
): Promise<{ costFri: bigint; ends: readonly string[] }> {
  const ends: string[] = [];
  for (const [index, each] of networks.entries()) {
    const [end = ''] = await depositsFrom(world, [each], 10_000 + index);
    ends.push(end);
    if (end === 'accepted') revert(world, gasPaidFri);
  }
  return { costFri: BigInt(ends.filter((end) => end === 'accepted').length) * gasPaidFri, ends };
}

describe('T12 deposits that fill no leaf', () => {
  it('reverted deposits cost at most the loss budget, from any number of networks', async () => {
    const world = aDepositWorld();
    const gasPaidFri = BUDGET_FRI / 10n;
    const crowd = times(40, (index) => network(index));
    const { costFri, ends } = await attack(world, [...crowd, ...crowd], gasPaidFri);
    expect(costFri).toBe(BUDGET_FRI);
    expect(ends.slice(0, 11)).toEqual([...times(10, () => 'accepted'), 'losses']);
    await expect(world.deposit({ caller: from('a', 'other') })).rejects.toMatchObject({
      code: 'BUDGET_EXHAUSTED',
      details: { scope: 'losses' },
    });
    world.clock.pass(3_600_000);
    expect(await depositsFrom(world, [network(99)], 90_000)).toEqual(['accepted']);
  });

  it('reverted deposits of one network use up at most a quarter of the loss budget', async () => {
    const world = aDepositWorld();
    const { costFri, ends } = await attack(
      world,
      times(8, (index) => [`56 of ${index}`, '48']),
      BUDGET_FRI / 20n,
    );
    expect(costFri).toBe(BUDGET_FRI / 4n);
    expect(ends).toEqual([...times(5, () => 'accepted'), ...times(3, () => 'network')]);
    expect(await depositsFrom(world, [network(1)], 90_000)).toEqual(['accepted']);
  });

  it('reverted deposits of one depositor from many networks use up at most the depositor’s share of the loss budget', async () => {
    const world = aDepositWorld();
    world.fund(DEPOSITOR, 9n);
    for (const commitment of [1n, 2n, 3n]) world.sign(commitment);
    const deposit = (commitment: bigint) =>
      world.deposit({ commitment, caller: { name: `${commitment}`, networks: [`${commitment}`] } });
    for (const commitment of [1n, 2n]) {
      await deposit(commitment);
      revert(world, (BUDGET_FRI * 13n) / 100n);
    }
    await expect(deposit(3n)).rejects.toMatchObject({ details: { scope: 'depositor' } });
  });

  it('reverted deposits leave half of the loss budget to networks without losses', async () => {
    const world = aDepositWorld();
    const crowd = times(5, (index) => network(index));
    const lost = await attack(world, crowd, BUDGET_FRI / 10n);
    expect(lost.costFri).toBe(BUDGET_FRI / 2n);
    expect(await depositsFrom(world, [network(0), network(9), network(9)], 90_000)).toEqual([
      'network',
      'accepted',
      'network',
    ]);
  });

  it('each deposit in flight uses up the loss budget by its simulated cost', async () => {
    const world = aDepositWorld();
    world.simulator.use({
      l2Gas: 800_000n * (BUDGET_FRI / 5n / DEPOSIT_FRI),
      l1Gas: 0n,
      l1DataGas: 0n,
    });
    const ends = await depositsFrom(
      world,
      times(12, (index) => network(index)),
    );
    expect(ends.filter((end) => end === 'accepted')).toHaveLength(5);
    expect(ends.at(-1)).toBe('losses');
  });

  it('a reverted deposit uses up the loss budget even while its loss can’t be read yet', async () => {
    const world = aDepositWorld();
    world.simulator.use({
      l2Gas: 800_000n * (BUDGET_FRI / 8n / DEPOSIT_FRI + 1n),
      l1Gas: 0n,
      l1DataGas: 0n,
    });
    for (const round of [1, 2, 3]) {
      const [end] = await depositsFrom(world, [network(0)], 1_000 + round);
      expect(end).toBe(round < 3 ? 'accepted' : 'network');
      if (round < 3) world.submissions.execute(`attempt-${round}`, 'REVERTED');
    }
  });

  it('reverted deposits do not use up the loss budget of withdrawals and swaps', async () => {
    const world = aDepositWorld();
    await attack(world, times(10, network), BUDGET_FRI / 10n);
    const [guarded] = await world.guarding.guard.pools();
    expect(guarded).toMatchObject({ isStrict: false, relays: { kind: 'open' } });
  });

  it('successful deposits of one network are never rejected for losses', async () => {
    const world = aDepositWorld();
    for (const index of times(30, (number) => number)) {
      expect(await depositsFrom(world, [network(0)], 1_000 + index)).toEqual(['accepted']);
      world.submissions.execute(`attempt-${index + 1}`, 'SUCCEEDED');
    }
  });
});
