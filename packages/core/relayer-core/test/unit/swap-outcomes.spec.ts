import { describe, expect, it } from '@jest/globals';
import { vector } from '../support/vector.js';
import { aSwapWorld, type SwapWorld } from '../support/swap-world.js';
import { pool } from '../support/world.js';

const NULLIFIER = BigInt(vector.publicInputs[1] ?? 0);

async function isAtRisk({ submissions, outcomes }: SwapWorld): Promise<boolean | undefined> {
  const answer = await submissions.find('attempt-1');
  if (answer === null) throw new Error('nothing was accepted');
  return (await outcomes.describe(answer))?.noteAtRisk;
}

describe('SwapOutcomes', () => {
  it('T3 reports a note as at risk after its swap reverted, until the chain shows the note as spent', async () => {
    const world = aSwapWorld();
    await world.swap();
    expect(await isAtRisk(world)).toBe(false);
    world.submissions.execute('attempt-1', 'REVERTED');
    expect(await isAtRisk(world)).toBe(true);
    world.pools.spend(pool.address, NULLIFIER);
    expect(await isAtRisk(world)).toBe(false);
  });

  it('T3 reports a note as at risk after a revert if the node does not return whether the note is spent', async () => {
    const world = aSwapWorld();
    await world.swap();
    world.submissions.execute('attempt-1', 'REVERTED');
    world.pools.failReads();
    expect(await isAtRisk(world)).toBe(true);
  });

  it('T3 does not report a note as at risk if its swap was never on chain', async () => {
    const world = aSwapWorld();
    await world.swap();
    world.submissions.end('attempt-1', 'refused', 'ANY_CODE');
    expect(await isAtRisk(world)).toBe(false);
  });
});
