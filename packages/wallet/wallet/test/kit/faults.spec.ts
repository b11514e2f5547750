import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { recoverNotes, type WalletStorage } from '../../src/advanced.js';
import { FakePool } from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';
import { KitWorld, OTHER, RECIPIENT, TOKEN, failureOf } from '../support/kit-world.js';
import { letPass, passTime } from '../support/virtual-time.js';

let world: KitWorld;

beforeEach(() => {
  jest.useFakeTimers();
  world = new KitWorld();
});
afterEach(() => void jest.useRealTimers());

/** Expects that the seed alone finds this number of notes. */
async function expectActive(notes: number): Promise<void> {
  const found = await recoverNotes({ keys: world.keys, pools: [new FakePool(world.chain)] });
  expect(found).toHaveLength(notes);
}

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
      const swap = () => wallet.swap(note, world.relayer.outputToken, { ...world.swapTerms, to });
      expect(await codeOf(swap)).toBe('RECIPIENT_UNSPENDABLE');
    }
    const malformed = () => wallet.withdraw(note, 'alice.stark', { maxFee: 100n });
    expect(await codeOf(malformed)).toBe('RECIPIENT_MALFORMED');
  });
});

describe('the indices of deposits', () => {
  it('two deposits at once have two notes, also after a failed deposit', async () => {
    const wallet = world.open();
    world.account.fault = 'hangs';
    const action = wallet.deposit(world.chain.pool);
    await letPass(2_000);
    expect(await passTime(action.cancel())).toBe(true);
    world.account.fault = undefined;
    await letPass(900_000);
    const tabs = [wallet, wallet, world.open()];
    const results = tabs.map((tab) => tab.deposit(world.chain.pool).result);
    const deposited = await passTime(Promise.all(results));
    expect(new Set(deposited.map(({ commitment }) => commitment)).size).toBe(3);
    await expectActive(3);
  });

  it('deposits that are cancelled at once leave their index to the next deposit', async () => {
    const wallet = world.open();
    for (let count = 0; count < 22; count += 1) {
      const action = wallet.deposit(world.chain.pool);
      expect(await passTime(action.cancel())).toBe(true);
      expect(await failureOf(action.result)).toBe('CANCELLED');
    }
    await passTime(wallet.deposit(world.chain.pool).result);
    await expectActive(1);
  });

  it('deposits that the storage does not store leave their index to the next deposit', async () => {
    const wallet = world.open();
    world.storage.fault = (method, key) =>
      method === 'replace' && key.startsWith('sotto/deposit/') ? 'rejects' : undefined;
    for (let count = 0; count < 22; count += 1)
      await expect(passTime(wallet.deposit(world.chain.pool).result)).rejects.toThrow('fails');
    world.storage.fault = () => undefined;
    await passTime(wallet.deposit(world.chain.pool).result);
    await expectActive(1);
  });
});

describe('a cancellation', () => {
  it('a cancellation also ends a second call for the note that was waiting', async () => {
    const [one, other] = [world.open(), world.open()];
    const note = await world.activeNote(one);
    world.prover.fault = 'late';
    const action = one.withdraw(note, RECIPIENT, { maxFee: 100n });
    await letPass(1_000);
    const waiting = [one, other].map((tab) => tab.withdraw(note, RECIPIENT, { maxFee: 100n }));
    await letPass(1_000);
    expect(await passTime(action.cancel())).toBe(true);
    for (const { result } of [action, ...waiting])
      expect(await failureOf(result)).toBe('CANCELLED');
    await letPass(60_000);
    expect(world.chain.transactions).toEqual([]);
    await passTime(one.withdraw(note, RECIPIENT, { maxFee: 100n }).result);
    expect(world.paid()).toBe(1);
  });
});

describe('a cancellation before the record is stored', () => {
  it('a cancellation is not confirmed if the storage may store the withdrawal later', async () => {
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    world.storage.fault = (method, key) =>
      method === 'replace' && key.startsWith('sotto/withdrawal/') ? 'done-and-hangs' : undefined;
    const action = wallet.withdraw(note, RECIPIENT, { maxFee: 100n });
    await letPass(1_000);
    const cancelled = action.cancel();
    expect(await codeOf(() => passTime(cancelled))).toBe('STORAGE_UNAVAILABLE');
    expect(await codeOf(() => passTime(action.result))).toBe('STORAGE_UNAVAILABLE');
  });

  it('a withdrawal that the storage stores late is not confirmed as cancelled', async () => {
    const { storage } = world;
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    const late: (() => Promise<boolean>)[] = [];
    const slow: WalletStorage = {
      read: (key) => storage.read(key),
      keys: (prefix) => storage.keys(prefix),
      replace: async (key, expected, next) => {
        const isFirst = key.startsWith('sotto/withdrawal/') && expected === undefined;
        if (!isFirst) return storage.replace(key, expected, next);
        late.push(() => storage.replace(key, expected, next));
        return new Promise(() => undefined);
      },
    };
    const action = world.open({ storage: slow }).withdraw(note, RECIPIENT, { maxFee: 100n });
    await letPass(1_000);
    const isCancelled = await passTime(action.cancel().catch(() => false));
    await action.result.catch(() => undefined);
    for (const write of late) expect(await write()).toBe(true);
    const { actions } = await passTime(world.open().resumeAll());
    expect([isCancelled, actions.length]).toEqual([false, 1]);
    await passTime(Promise.all(actions.map(({ result }) => result)));
    expect(world.paid()).toBe(1);
  });
});

describe('damaged records', () => {
  it('damaged fields of a record do not stop other work and the list of notes', async () => {
    const wallet = world.open();
    const note = await world.activeNote(wallet);
    world.prover.fault = 'hangs';
    wallet.withdraw(note, RECIPIENT, { maxFee: 100n });
    await letPass(1_000);
    wallet.close();
    world.prover.fault = undefined;
    const text = JSON.stringify({ format: 1, revision: 0, lease: null, entry: { state: 'open' } });
    for (const kind of ['deposit', 'withdrawal', 'private-swap'])
      await world.storage.replace(`sotto/${kind}/damaged`, undefined, text);
    const next = world.open();
    const { actions, errors } = await passTime(next.resumeAll());
    const code = 'JOURNAL_UNREADABLE';
    expect(errors).toMatchObject([{ code }, { code }, { code }]);
    expect(await next.notes()).toHaveLength(1);
    await passTime(Promise.all(actions.map(({ result }) => result)));
    expect(world.paid()).toBe(1);
  });
});

describe('a note whose proof a relayer saw', () => {
  it('a note is at risk if its swap needs a new quote after a relayer saw its proof', async () => {
    const wallet = world.open();
    const note = await world.activeNote(wallet, 2);
    const { relayer, second } = world;
    relayer.fault = (path) =>
      path.endsWith('/private-swap')
        ? { code: 'SWAP_BUILD_REJECTED', retry: 'new-proof', status: 422 }
        : undefined;
    const terms = { ...world.swapTerms, allow: ['CROWD_TOO_SMALL'] } as const;
    const swap = wallet.swap(note, relayer.outputToken, terms);
    while (!world.events.some(({ type }) => type === 'posting')) await letPass(500);
    relayer.input.fee = 1_000n;
    expect(await failureOf(swap.result)).toBe('FEE_ABOVE_MAXIMUM');
    const next = world.open({ relayers: [second.relayer] });
    await passTime(next.withdraw(note, OTHER, { maxFee: 100n }).result);
    expect(world.paid(OTHER)).toBe(1);
  });
});
