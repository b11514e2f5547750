import { describe, expect, it } from '@jest/globals';
import type { DomainError } from '@sotto/kernel';
import { calldataWith, goodCalldata, proofOf, vector } from '../support/vector.js';
import { aWorld, pool } from '../support/world.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('admissions under load', () => {
  it('T13: the proofs of all addresses in a caller’s widest network share one verification queue', async () => {
    const world = aWorld();
    const networks = ['2001:db8:1:200::/56', '2001:db8:1::/48'];
    await world.subject.execute({
      poolAddress: pool.address,
      calldata: goodCalldata,
      waitMs: 0,
      caller: { name: '2001:db8:1:2::/64', networks },
    });
    expect(world.verifier.names).toEqual(['2001:db8:1::/48']);
  });

  it('rejects requests before any work if all admission slots and the admission queue are full', async () => {
    const world = aWorld();
    const { verifier, submissions, guarding } = world;
    const gate = verifier.hold();
    const requests = Array.from({ length: 20 }, (_, index) => {
      const calldata = calldataWith({
        nullifierHash: BigInt(vector.publicInputs[1] ?? 0) - BigInt(index),
      });
      verifier.accept(proofOf(calldata));
      return world.submit(calldata).then(
        () => 'accepted',
        (error: DomainError) => error.code,
      );
    });
    await turn();
    expect([verifier.checks, guarding.slots.counts()]).toEqual([
      3,
      { running: 3, waiting: 8, refused: 9 },
    ]);
    gate();
    const answers = await Promise.all(requests);
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(11);
    expect(answers.filter((answer) => answer === 'OVERLOADED')).toHaveLength(9);
    expect([verifier.checks, submissions.accepted.length]).toEqual([11, 11]);
  });

  it('an admission queue does not delay a request whose response the ledger already contains', async () => {
    const world = aWorld();
    const { submissionId } = await world.submit();
    world.verifier.hold();
    const calldata = calldataWith({ nullifierHash: 5n });
    for (let run = 0; run < 20; run += 1)
      void world.subject.dryRun({ poolAddress: pool.address, calldata }).catch(() => undefined);
    await turn();
    expect(world.guarding.slots.counts()).toMatchObject({ running: 3, waiting: 8 });
    expect(await world.submit()).toMatchObject({ submissionId });
  });
});
