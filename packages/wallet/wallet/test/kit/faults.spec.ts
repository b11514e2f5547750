import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { codeOf } from '../support/code-of.js';
import { KitWorld, OTHER, RECIPIENT, TOKEN, failureOf } from '../support/kit-world.js';
import { letPass, passTime } from '../support/virtual-time.js';

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

describe('a repeated swap', () => {
  it('a repeated swap to another recipient reports no payment to that recipient', async () => {
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    world.relayer.isPriceMoving = true;
    const { outputToken } = world.relayer;
    await passTime(wallet.swap(note, outputToken, world.swapTerms).result);
    const again = wallet.swap(note, outputToken, { ...world.swapTerms, to: OTHER });
    expect(await failureOf(again.result)).toBe('ANOTHER_RECIPIENT');
    expect(world.paid(OTHER)).toBe(0);
  });

  it('a repeated swap is bound by the fee and the minimum of the last call', async () => {
    const { outputToken } = world.relayer;
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    world.prover.fault = 'hangs';
    wallet.swap(note, outputToken, world.swapTerms);
    await letPass(3_000);
    wallet.close();
    world.prover.fault = undefined;
    const next = world.open();
    const dear = next.swap(note, outputToken, { ...world.swapTerms, maxFee: 0n });
    expect(await failureOf(dear.result)).toBe('FEE_ABOVE_MAXIMUM');
    expect(world.relayer.swaps).toEqual([]);
  });

  it('a rescue continues an unfinished withdrawal to another recipient, and reports it', async () => {
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    world.prover.fault = 'hangs';
    wallet.withdraw(note, OTHER, { maxFee: 100n });
    await letPass(3_000);
    wallet.close();
    world.prover.fault = undefined;
    world.relayer.isPriceMoving = true;
    const swap = world.open().swap(note, world.relayer.outputToken, world.swapTerms);
    expect(await failureOf(swap.result)).toBe('ANOTHER_RECIPIENT');
    expect([world.paid(OTHER), world.paid(RECIPIENT)]).toEqual([1, 0]);
  });
});

describe('the end of an action', () => {
  it('an action whose damaged record has no end rejects its result', async () => {
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    await passTime(wallet.withdraw(note, RECIPIENT, { maxFee: 100n }).result);
    const [key = ''] = await world.storage.keys('sotto/withdrawal/');
    const text = (await world.storage.read(key)) ?? '';
    const damaged = text.replace(/"transactionHash":"0x[0-9a-f]+"/, '"transactionHash":null');
    expect(damaged).not.toBe(text);
    await world.storage.replace(key, text, damaged);
    const { result } = wallet.withdraw(note, RECIPIENT, { maxFee: 100n });
    expect(await codeOf(() => passTime(result))).toBe('JOURNAL_UNREADABLE');
  });

  it('a closed wallet uses up no index of a note', async () => {
    const wallet = world.open();
    wallet.close();
    expect(await failureOf(wallet.deposit(world.chain.pool).result)).toBe('WALLET_CLOSED');
    expect(await world.storage.keys('sotto/used-notes')).toEqual([]);
  });
});

describe('the recipient of a payment', () => {
  it('no payment is made to a token or pool of the wallet, which would keep it', async () => {
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    for (const to of [TOKEN, world.chain.pool, world.swapChain.pool]) {
      const withdrawal = () => wallet.withdraw(note, to, { maxFee: 100n });
      expect(await codeOf(withdrawal)).toBe('RECIPIENT_UNSPENDABLE');
      const swap = () =>
        wallet.swap(note, world.relayer.outputToken, { ...world.swapTerms, to });
      expect(await codeOf(swap)).toBe('RECIPIENT_UNSPENDABLE');
    }
    const malformed = () => wallet.withdraw(note, 'alice.stark', { maxFee: 100n });
    expect(await codeOf(malformed)).toBe('RECIPIENT_MALFORMED');
  });
});
