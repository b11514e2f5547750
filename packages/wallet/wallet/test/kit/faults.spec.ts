import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { codeOf } from '../support/code-of.js';
import { KitWorld, RECIPIENT } from '../support/kit-world.js';
import { passTime } from '../support/virtual-time.js';

let world: KitWorld;

beforeEach(() => {
  jest.useFakeTimers();
  world = new KitWorld();
});
afterEach(() => void jest.useRealTimers());

describe('foreign code of a wallet', () => {
  it('a storage that never lists its keys ends the withdrawal, and blocks no other check', async () => {
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    world.storage.fault = (method) => (method === 'keys' ? 'hangs' : undefined);
    const { result } = wallet.withdraw(note, RECIPIENT, { maxFee: 100n });
    expect(await codeOf(() => passTime(result))).toBe('STORAGE_UNAVAILABLE');
    world.storage.fault = () => undefined;
    await passTime(wallet.withdraw(note, RECIPIENT, { maxFee: 100n }).result);
    expect(world.paid()).toBe(1);
  });

  it('a prover’s error that is no JSON does not end the rescue of a note', async () => {
    const note = await world.activeNote(world.open());
    world.relayer.isPriceMoving = true;
    let proofs = 0;
    const prover = {
      prove: async (...args: Parameters<typeof world.prover.prove>) => {
        proofs += 1;
        if (proofs === 2) throw Object.assign(new Error('out of memory'), { bytes: 1n });
        return world.prover.prove(...args);
      },
    };
    const swap = world.open({ prover }).swap(note, world.relayer.outputToken, world.swapTerms);
    expect(await passTime(swap.result)).toMatchObject({ outcome: 'withdrawn' });
    expect(world.paid()).toBe(1);
  });
});
