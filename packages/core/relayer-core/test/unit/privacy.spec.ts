import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import { ERRORS } from '@sotto/facts';
import { mutations } from '../support/mutations.js';
import { calldataWith, goodCalldata, proofOf, vector } from '../support/vector.js';
import { aWorld, pool } from '../support/world.js';

const [root, nullifierHash, recipient] = vector.publicInputs.map(BigInt);
/** Values that no response may contain, in every notation that a text could use for them. */
const markers = [
  root,
  nullifierHash,
  recipient,
  goodCalldata.at(1),
  goodCalldata.at(33 + 14 + 1),
].flatMap((value) => [String(value), (value ?? 0n).toString(16)]);

/** Returns all data that a caller gets from a rejection. */
async function answerOf(
  refused: Promise<unknown>,
): Promise<{ readonly text: string; readonly failure: DomainError }> {
  const failure = await refused.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof DomainError)) throw new Error('not refused');
  return { text: JSON.stringify([failure.message, failure.details]).toLowerCase(), failure };
}

describe('the answer to callers', () => {
  it.each(mutations)(
    'the error response to a request with the fault `$what` contains no data of this request',
    async ({ code, make }) => {
      const world = aWorld();
      const request = { poolAddress: pool.address, calldata: goodCalldata, ...make(world) };
      const { text, failure } = await answerOf(world.subject.execute({ ...request, waitMs: 0 }));
      expect(failure.code).toBe(code);
      expect(ERRORS).toHaveProperty([code, 'kind'], failure.kind);
      for (const marker of markers) expect(text).not.toContain(marker);

      const report = await world.subject.dryRun(request);
      for (const marker of markers) expect(JSON.stringify(report)).not.toContain(marker);
    },
  );

  it('the error response contains the contract’s revert reason without the numbers of the call', async () => {
    const world = aWorld();
    const felts = markers.map((marker) => `0x${marker} ${marker}`).join(', ');
    world.simulator.revert(
      `Error in the called contract (${felts}): 0x616c72656164792077697468647261776e ('already withdrawn')\u0000\u001b[31m`,
    );
    const { text, failure } = await answerOf(world.submit());
    expect(failure).toMatchObject({
      code: 'SIMULATION_REVERTED',
      details: { reason: expect.stringContaining("('already withdrawn')") },
    });
    for (const marker of markers) expect(text).not.toContain(marker);
  });

  it('if the note is already in flight, the error response contains no data of the request in flight', async () => {
    const world = aWorld();
    await world.submit();
    const other = calldataWith({ recipient: accountAddress(5n) });
    world.verifier.accept(proofOf(other));
    const { text, failure } = await answerOf(world.submit(other));
    expect(failure).toMatchObject({
      code: 'WITHDRAWAL_IN_PROGRESS',
      details: { submissionId: 'attempt-1' },
    });
    for (const marker of markers) expect(text).not.toContain(marker);
  });
});
