import { describe, expect, it } from '@jest/globals';
import type { DomainError } from '@sotto/kernel';
import { calldataWith, proofOf, vector } from '../support/vector.js';
import { NEW_COMMITMENT, aSwap, aSwapWorld, type SwapWorld } from '../support/swap-world.js';

/** Creates a request to swap another note to the same new commitment. */
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
  it('only one of two swaps of different notes to one commitment is sent, even if no swap is on chain yet', async () => {
    const world = aSwapWorld();
    await world.swap();
    await expect(world.swap(another(world))).rejects.toMatchObject({
      code: 'COMMITMENT_IN_PROGRESS',
      kind: 'conflict',
    });
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('only one of several concurrent swaps to one commitment is sent, also at two instances', async () => {
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

  it('a second swap to a commitment is rejected after any outcome of the first swap', async () => {
    for (const end of ['refused', 'reverted', 'succeeded'] as const) {
      const world = aSwapWorld();
      const { submissionId } = await world.swap();
      if (end === 'refused') world.submissions.end(submissionId, 'refused', 'NO');
      else world.submissions.execute(submissionId, end === 'reverted' ? 'REVERTED' : 'SUCCEEDED');
      expect(await codeOf(world.swap(another(world)))).toBe('COMMITMENT_IN_PROGRESS');
    }
  });

  it('a repeated swap of the same note to the same commitment gets the same submission', async () => {
    const world = aSwapWorld();
    const first = await world.swap();
    expect(await world.swap()).toMatchObject({ submissionId: first.submissionId });
  });

  it('a second swap is accepted if its commitment differs from the first swap’s commitment', async () => {
    const world = aSwapWorld();
    await world.swap();
    expect(
      await codeOf(world.swap({ ...another(world), newCommitment: NEW_COMMITMENT + 1n })),
    ).toBe('accepted');
  });

  it('a swap is rejected if a store failure leaves unknown whether the commitment is free', async () => {
    const world = aSwapWorld();
    world.pins.fail();
    expect(await codeOf(world.swap())).toBe('FAKE_UPSTREAM_DOWN');
    expect(world.submissions.attempts).toEqual([]);
  });
});
