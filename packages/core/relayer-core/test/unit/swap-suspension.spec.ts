import { describe, expect, it } from '@jest/globals';
import type { DomainError, Felts } from '@sotto/kernel';
import { NOTE_WINDOW_MS } from '../../src/circuit-breaker/domain/user-losses.js';
import { LIMITS, SNAPSHOT_MS } from '../support/guard-world.js';
import {
  BROKEN,
  SLIPPED,
  SPENT,
  codeOf,
  endLast,
  note,
  passWithPrices,
} from '../support/losses.js';
import { aSwapWorld, type SwapWorld } from '../support/swap-world.js';
import { calldataWith, goodCalldata, proofOf, vector } from '../support/vector.js';
import type { World } from '../support/world.js';

/** Creates a valid proof of the world’s note with this fee. */
function withFee(world: Pick<World, 'verifier'>, fee: bigint) {
  const calldata = calldataWith({ fee });
  world.verifier.accept(proofOf(calldata));
  return calldata;
}

/** Sends a swap that reverts because of the market price. Returns the code of its admission. */
async function revertOf(
  world: SwapWorld,
  input: Parameters<SwapWorld['swap']>[0] = {},
): Promise<string> {
  const code = await codeOf(world.swap(input));
  if (code === 'accepted') endLast(world, { ...SLIPPED, gasPaidFri: 1n });
  return code;
}

/**
 * Swaps a note with one proof after the other. Strangers repeat each proof with other terms until
 * the service rejects the repetition. Returns one entry per proof: the number of repetitions, or
 * the scope of the error if the owner’s own swap was rejected.
 */
async function outcomes(world: SwapWorld, proofs: readonly Felts[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const proofCalldata of proofs) {
    const rejection = await world.swap({ proofCalldata }).then(
      () => null,
      (error: DomainError) => error,
    );
    if (rejection !== null) {
      found.push(String(rejection.details?.['scope']));
      continue;
    }
    endLast(world, { ...SLIPPED, gasPaidFri: 1n });
    let repeats = 0;
    while ((await revertOf(world, { proofCalldata, slippagePpm: 1_000 + repeats })) === 'accepted')
      repeats += 1;
    found.push(`repeated ${repeats}`);
  }
  return found;
}

describe('a note whose swaps revert', () => {
  it('S7: a note cannot be swapped for a day after too many swaps with one proof have reverted', async () => {
    const world = aSwapWorld();
    for (let count = 0; count < LIMITS.swapRevertsPerNote; count += 1) {
      await world.swap();
      endLast(world, { ...SLIPPED, gasPaidFri: 1n });
    }
    await expect(world.swap()).rejects.toMatchObject({
      code: 'NOTE_SWAPS_SUSPENDED',
      kind: 'rate_limited',
      details: { scope: 'proof' },
      retryAfterSeconds: 86_398,
    });
    const another = note(world, 1n);
    expect(await codeOf(world.swap({ proofCalldata: another, newCommitment: 77n }))).toBe(
      'accepted',
    );
    passWithPrices(world, NOTE_WINDOW_MS - 2 * SNAPSHOT_MS - 1);
    expect(await codeOf(world.swap())).toBe('NOTE_SWAPS_SUSPENDED');
    expect(await codeOf(world.submit(goodCalldata))).toBe('accepted');
  });

  it('A29: the owner can swap the note with a new proof, even if other callers repeat old proofs', async () => {
    const world = aSwapWorld({}, { ...LIMITS, swapRevertsPerNote: 3 });
    const proofs = [0n, 1n, 2n, 3n].map((more) => withFee(world, BigInt(vector.feeSats) + more));
    const [first = '', second = '', third = '', fourth = ''] = await outcomes(world, proofs);
    expect([first, second, third, fourth]).toEqual([
      'repeated 2',
      'repeated 0',
      'repeated 0',
      'note',
    ]);
    expect(await codeOf(world.submit(goodCalldata))).toBe('accepted');
  });

  it('A29: swaps with a newer proof are not suspended by repeats of a day-old proof', async () => {
    const world = aSwapWorld({}, { ...LIMITS, swapRevertsPerNote: 2 });
    const old = withFee(world, BigInt(vector.feeSats));
    const newer = withFee(world, BigInt(vector.feeSats) + 1n);
    await revertOf(world, { proofCalldata: old });
    passWithPrices(world, NOTE_WINDOW_MS);
    await revertOf(world, { proofCalldata: old });
    await revertOf(world, { proofCalldata: old });
    await expect(world.swap({ proofCalldata: old })).rejects.toMatchObject({
      details: { scope: 'proof' },
    });
    expect(await revertOf(world, { proofCalldata: newer })).toBe('accepted');
  });

  it('S7 a suspended note can be swapped again after a day', async () => {
    const world = aSwapWorld();
    for (let count = 0; count < LIMITS.swapRevertsPerNote; count += 1) {
      await world.swap();
      endLast(world, { ...SLIPPED, gasPaidFri: 1n });
    }
    passWithPrices(world, NOTE_WINDOW_MS);
    expect(await codeOf(world.swap())).toBe('accepted');
  });

  it('a revert that the market did not cause does not suspend a note’s swaps', async () => {
    const world = aSwapWorld();
    await world.swap();
    endLast(world, { ...BROKEN, gasPaidFri: 1n });
    await world.submit();
    endLast(world, { ...SPENT, gasPaidFri: 1n });
    expect(await codeOf(world.swap())).toBe('accepted');
  });
});
