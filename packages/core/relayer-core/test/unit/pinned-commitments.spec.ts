import { describe, expect, it } from '@jest/globals';
import type { DomainError } from '@sotto/kernel';
import { calldataWith, proofOf, vector } from '../support/vector.js';
import { NEW_COMMITMENT, aSwap, aSwapWorld, type SwapWorld } from '../support/swap-world.js';

/** Creates a swap of another note. */
function another(world: SwapWorld, offset = 1n) {
  const proofCalldata = calldataWith({
    nullifierHash: BigInt(vector.publicInputs[1] ?? 0) - offset,
  });
  world.verifier.accept(proofOf(proofCalldata));
  return { proofCalldata };
}

const codeOf = async (swap: Promise<unknown>): Promise<string> =>
  swap.then(
    () => 'accepted',
    (error: DomainError) => error.code,
  );

describe('two private swaps with one new commitment', () => {
  it('are not both sent, although neither is on chain yet', async () => {
    const world = aSwapWorld();
    await world.swap();
    await expect(world.swap(another(world))).rejects.toMatchObject({
      code: 'COMMITMENT_IN_PROGRESS',
      kind: 'conflict',
    });
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('are not both sent if they arrive concurrently, or at two instances', async () => {
    const world = aSwapWorld();
    const restarted = world.restarted();
    const swaps = [1n, 2n, 3n, 4n].map(async (offset) => {
      const input = another(world, offset);
      return codeOf(
        offset % 2n === 0n ? world.swap(input) : restarted.execute({ ...aSwap, ...input }),
      );
    });
    expect((await Promise.all(swaps)).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'COMMITMENT_IN_PROGRESS'),
      'accepted',
    ]);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('remain exclusive for any outcome of the first: its note is pinned to the commitment', async () => {
    for (const end of ['refused', 'reverted', 'succeeded'] as const) {
      const world = aSwapWorld();
      const { submissionId } = await world.swap();
      if (end === 'refused') world.submissions.end(submissionId, 'refused', 'NO');
      else world.submissions.execute(submissionId, end === 'reverted' ? 'REVERTED' : 'SUCCEEDED');
      expect(await codeOf(world.swap(another(world)))).toBe('COMMITMENT_IN_PROGRESS');
    }
  });

  it('are one for the same note: a repeated request gets the same answer', async () => {
    const world = aSwapWorld();
    const first = await world.swap();
    expect(await world.swap()).toMatchObject({ submissionId: first.submissionId });
  });

  it('do not affect swaps to other commitments', async () => {
    const world = aSwapWorld();
    await world.swap();
    expect(
      await codeOf(world.swap({ ...another(world), newCommitment: NEW_COMMITMENT + 1n })),
    ).toBe('accepted');
  });

  it('are not sent if it is unknown whether the commitment is free', async () => {
    const world = aSwapWorld();
    world.pins.fail();
    expect(await codeOf(world.swap())).toBe('FAKE_UPSTREAM_DOWN');
    expect(world.submissions.attempts).toEqual([]);
  });
});
