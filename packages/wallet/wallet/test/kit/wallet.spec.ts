import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { createNote, deriveNoteKeys, nextNote } from '../../src/advanced.js';
import { ActionFailed, type WalletEvent, type WalletNote } from '../../src/index.js';
import { Wallet } from '../../src/kit/wallet.js';
import type { WalletParts } from '../../src/kit/wallet-types.js';
import {
  FakeAccount,
  FakeChain,
  FakePool,
  FakeProver,
  FakeSwapChain,
  FakeSwapPoolView,
  FakeSwapRelayer,
} from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';
import { MemoryStorage } from '../support/memory-storage.js';
import { letPass, passTime } from '../support/virtual-time.js';

const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';
const TOKEN = '0x70ce';
const keys = deriveNoteKeys(Uint8Array.from({ length: 32 }, (_, index) => index));

let chain: FakeChain;
let swapChain: FakeSwapChain;
let storage: MemoryStorage;
let account: FakeAccount;
let prover: FakeProver;
let relayer: FakeSwapRelayer;
let events: WalletEvent[];

beforeEach(() => {
  jest.useFakeTimers();
  chain = new FakeChain();
  swapChain = new FakeSwapChain();
  storage = new MemoryStorage();
  account = new FakeAccount(chain);
  prover = new FakeProver();
  relayer = new FakeSwapRelayer(chain, swapChain);
  events = [];
});
afterEach(() => void jest.useRealTimers());

/** Opens the wallet, as a start of its process does. */
function open(changes: Partial<WalletParts> = {}): Wallet {
  const view = new FakePool(chain);
  const wallet = new Wallet({
    keys,
    storage,
    prover,
    account,
    locks: null,
    pools: [{ view, token: TOKEN, amount: chain.denomination }],
    swapPool: { view: new FakeSwapPoolView(swapChain), token: null, amount: null },
    relayers: [relayer.relayer],
    ...changes,
  });
  wallet.on((event) => events.push(event));
  return wallet;
}

/** Puts the next note of the seed into a batch of deposits that are long ago. */
async function activeNote(wallet: Wallet, crowd = 5): Promise<WalletNote> {
  const pool = new FakePool(chain);
  const { note } = await nextNote({ keys, pool, storage });
  const others = Array.from({ length: crowd - 1 }, () => createNote().commitment);
  chain.seed([note.commitment, ...others]);
  const found = (await wallet.notes()).find(
    ({ commitment }) => BigInt(commitment) === note.commitment,
  );
  if (found === undefined) throw new Error('the wallet does not show its note');
  return found;
}

const namesOf = (): readonly string[] => events.map(({ action, type }) => `${action} ${type}`);
const paid = (): number => chain.paymentsTo(BigInt(RECIPIENT));
const failureOf = async (result: Promise<unknown>): Promise<string> => {
  const error = await passTime(result.catch((caught: unknown) => caught));
  if (!(error instanceof ActionFailed)) throw new Error('the action has not failed');
  return error.code;
};
const swapTerms = {
  to: RECIPIENT,
  minAmountOut: 90n,
  maxFee: 100n,
  maxWithdrawalFee: 100n,
  waitForSwap: 0,
};

describe('a wallet', () => {
  it('a wallet deposits the next note, withdraws it, and reports both results', async () => {
    const wallet = open();
    wallet.on(({ action, type }) => {
      if (action === 'deposit' && type === 'deposited') chain.deployBatch();
    });
    const deposited = await passTime(wallet.deposit(chain.pool).result);
    expect(deposited).toMatchObject({
      pool: chain.pool,
      token: TOKEN,
      amount: chain.denomination,
      leafIndex: 0,
      batch: { start: 0, size: 1 },
    });
    const [note] = await wallet.notes();
    expect(note).toMatchObject({
      commitment: deposited.commitment,
      status: 'active',
      spentBy: null,
    });
    const terms = { maxFee: 100n, allow: ['CROWD_TOO_SMALL', 'TOO_SOON'] } as const;
    const withdrawn = await passTime(wallet.withdraw(deposited, RECIPIENT, terms).result);
    expect(withdrawn).toMatchObject({
      commitment: deposited.commitment,
      recipient: RECIPIENT,
      token: TOKEN,
      batch: { start: 0, size: 1 },
      transactionHash: chain.transactions.at(-1)?.hash,
    });
    expect(await wallet.notes()).toMatchObject([
      { status: 'spent', spentBy: withdrawn.transactionHash },
    ]);
    expect(new Set(events.map(({ commitment }) => commitment))).toEqual(
      new Set([deposited.commitment]),
    );
    expect(paid()).toBe(1);
  });

  it('a wallet lists a deposit that has not reached the chain as depositing', async () => {
    const wallet = open();
    account.fault = 'hangs';
    wallet.deposit(chain.pool);
    await letPass(2_000);
    expect(await wallet.notes()).toMatchObject([{ status: 'depositing', leafIndex: null }]);
    wallet.close();
  });

  it('a wallet swaps a note and reports the payment in the output token', async () => {
    const wallet = open();
    const note = await activeNote(wallet);
    const result = await passTime(wallet.swap(note, relayer.outputToken, swapTerms).result);
    expect(result).toMatchObject({
      outcome: 'swapped',
      commitment: note.commitment,
      pool: swapChain.pool,
      swapTransactionHash: relayer.swaps[0]?.transaction.hash,
    });
    expect(swapChain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
  });

  it('a wallet reports a payment in the pool’s own token after a reverted swap', async () => {
    const wallet = open();
    const note = await activeNote(wallet);
    relayer.isPriceMoving = true;
    const result = await passTime(wallet.swap(note, relayer.outputToken, swapTerms).result);
    expect(result).toMatchObject({ outcome: 'withdrawn', token: TOKEN, pool: chain.pool });
    expect(paid()).toBe(1);
  });

  it('a wallet pays once if a withdrawal is requested twice at the same time', async () => {
    const wallet = open();
    const note = await activeNote(wallet);
    const terms = { maxFee: 100n };
    const both = [1, 2].map(() => wallet.withdraw(note, RECIPIENT, terms).result);
    const [one, other] = await passTime(Promise.all(both));
    expect(one?.transactionHash).toBe(other?.transactionHash);
    expect(paid()).toBe(1);
  });

  it('a wallet rejects the result with the guard’s code if the crowd is too small', async () => {
    const wallet = open();
    const note = await activeNote(wallet, 2);
    const refused = wallet.withdraw(note, RECIPIENT, { maxFee: 100n });
    expect(await failureOf(refused.result)).toBe('CROWD_TOO_SMALL');
    expect(prover.proofs).toBe(0);
    const allow = ['CROWD_TOO_SMALL'] as const;
    await passTime(wallet.withdraw(note, RECIPIENT, { maxFee: 100n, allow }).result);
    expect(paid()).toBe(1);
  });

  it('a wallet rejects pools, notes and accounts that the wallet does not have', async () => {
    const wallet = open({ account: null, swapPool: null });
    const unknown = { pool: '0x1', commitment: '0x2' };
    expect(await codeOf(() => wallet.deposit('0x1'))).toBe('POOL_UNKNOWN');
    expect(await codeOf(() => wallet.deposit(chain.pool))).toBe('ACCOUNT_MISSING');
    expect(await codeOf(() => wallet.withdraw(unknown, RECIPIENT, { maxFee: 1n }))).toBe(
      'POOL_UNKNOWN',
    );
    const note = { pool: chain.pool, commitment: '0x2' };
    expect(await codeOf(() => wallet.swap(note, '0x3', swapTerms))).toBe('POOL_UNKNOWN');
    const { result } = wallet.withdraw(note, RECIPIENT, { maxFee: 1n });
    expect(await codeOf(() => passTime(result))).toBe('NOTE_UNKNOWN');
  });
});

describe('a cancelled action', () => {
  it('a cancelled action sends nothing if it is cancelled while its proof is created', async () => {
    const wallet = open();
    const note = await activeNote(wallet);
    prover.fault = 'late';
    const terms = { maxFee: 100n };
    const action = wallet.withdraw(note, RECIPIENT, terms);
    await letPass(1_000);
    expect(namesOf()).toContain('withdrawal proving');
    expect(await passTime(action.cancel())).toBe(true);
    expect(await failureOf(action.result)).toBe('CANCELLED');
    expect(await action.cancel()).toBe(false);
    await letPass(60_000);
    expect(paid()).toBe(0);
    expect(await wallet.resumeAll()).toEqual({ actions: [], errors: [] });
    prover.fault = undefined;
    await passTime(wallet.withdraw(note, RECIPIENT, terms).result);
    expect(paid()).toBe(1);
  });

  it('a cancelled action continues if a relayer may have its proof', async () => {
    const wallet = open();
    const note = await activeNote(wallet);
    const terms = { maxFee: 100n };
    const action = wallet.withdraw(note, RECIPIENT, terms);
    while (!namesOf().includes('withdrawal posting')) await letPass(500);
    expect(await passTime(action.cancel())).toBe(false);
    expect(await passTime(action.result)).toMatchObject({ recipient: RECIPIENT });
    expect(paid()).toBe(1);
  });

  it('a cancelled action is never started if it is cancelled at once', async () => {
    const wallet = open();
    const note = await activeNote(wallet);
    const terms = { maxFee: 100n };
    const action = wallet.withdraw(note, RECIPIENT, terms);
    expect(await passTime(action.cancel())).toBe(true);
    expect(await failureOf(action.result)).toBe('CANCELLED');
    await letPass(60_000);
    expect(chain.transactions).toEqual([]);
  });

  it('a cancelled action leaves the index of its deposit to the next deposit', async () => {
    const wallet = open();
    account.fault = 'hangs';
    const action = wallet.deposit(chain.pool);
    await letPass(2_000);
    expect(await passTime(action.cancel())).toBe(true);
    account.fault = undefined;
    wallet.on(({ type }) => {
      if (type === 'deposited') chain.deployBatch();
    });
    const { commitment } = await passTime(wallet.deposit(chain.pool).result);
    const first = keys.note({ chainId: chain.chainId, pool: chain.pool, index: 0 });
    expect(BigInt(commitment)).toBe(first.commitment);
  });
});

describe('a restarted wallet', () => {
  it('a restarted wallet continues an unfinished withdrawal and pays once', async () => {
    const before = open();
    const note = await activeNote(before);
    prover.fault = 'late';
    const action = before.withdraw(note, RECIPIENT, { maxFee: 100n });
    await letPass(1_000);
    before.close();
    expect(await failureOf(action.result)).toBe('WALLET_CLOSED');
    prover.fault = undefined;
    const { actions, errors } = await passTime(open().resumeAll());
    expect(errors).toEqual([]);
    expect(await passTime(Promise.all(actions.map(({ result }) => result)))).toMatchObject([
      { recipient: RECIPIENT, commitment: note.commitment },
    ]);
    expect(paid()).toBe(1);
  });

  it('two concurrent calls of resumeAll continue each action once', async () => {
    const before = open();
    const note = await activeNote(before);
    prover.fault = 'late';
    const action = before.withdraw(note, RECIPIENT, { maxFee: 100n });
    await letPass(1_000);
    before.close();
    expect(await failureOf(action.result)).toBe('WALLET_CLOSED');
    prover.fault = undefined;
    const wallet = open();
    const [first, second] = await passTime(Promise.all([wallet.resumeAll(), wallet.resumeAll()]));
    expect(first.actions).toHaveLength(1);
    expect(second).toBe(first);
    await passTime(Promise.all(first.actions.map(({ result }) => result)));
    expect(paid()).toBe(1);
  });

  it('a restarted wallet does not resume an action that it runs already', async () => {
    const wallet = open();
    const note = await activeNote(wallet);
    const action = wallet.withdraw(note, RECIPIENT, { maxFee: 100n });
    while (events.length === 0) await letPass(500);
    expect(await passTime(wallet.resumeAll())).toEqual({ actions: [], errors: [] });
    await passTime(action.result);
  });

  it('a restarted wallet continues the other actions if one stored record is damaged', async () => {
    const before = open();
    const note = await activeNote(before);
    prover.fault = 'late';
    before.withdraw(note, RECIPIENT, { maxFee: 100n });
    await letPass(1_000);
    before.close();
    await letPass(1_000);
    prover.fault = undefined;
    await storage.replace('sotto/withdrawal/damaged', undefined, '{"half');
    await storage.replace('sotto/deposit/damaged', undefined, '{}');
    const { actions, errors } = await passTime(open().resumeAll());
    expect(errors).toMatchObject([{ code: 'JOURNAL_UNREADABLE' }, { code: 'JOURNAL_UNREADABLE' }]);
    await passTime(Promise.all(actions.map(({ result }) => result)));
    expect(paid()).toBe(1);
  });
});

describe('progress events of a wallet', () => {
  it('a wallet emits at most ten progress events per second, and the last one', async () => {
    const steps = 1_000;
    const fast = {
      prove: async (...[request, options]: Parameters<FakeProver['prove']>) => {
        for (let step = 1; step <= steps; step += 1) {
          options?.onProgress?.({ step: 'proof', fraction: step / steps });
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        return prover.prove(request, {});
      },
    };
    const wallet = open({ prover: fast });
    const note = await activeNote(wallet);
    await passTime(wallet.withdraw(note, RECIPIENT, { maxFee: 100n }).result);
    const proving = namesOf().filter((name) => name === 'withdrawal proving').length;
    expect(proving).toBeGreaterThan(5);
    expect(proving).toBeLessThanOrEqual(11);
  });
});

describe('a listener that throws', () => {
  it('a listener that throws does not end the action', async () => {
    const wallet = open();
    const note = await activeNote(wallet);
    const thrown: unknown[] = [];
    const queue = jest
      .spyOn(globalThis, 'queueMicrotask')
      .mockImplementation((work) => void thrown.push(work));
    wallet.on(() => {
      throw new Error('of the listener');
    });
    await passTime(wallet.withdraw(note, RECIPIENT, { maxFee: 100n }).result);
    queue.mockRestore();
    expect(thrown.length).toBeGreaterThan(0);
    expect(paid()).toBe(1);
  });
});
