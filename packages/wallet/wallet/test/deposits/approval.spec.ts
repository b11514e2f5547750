import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  createNote,
  Deposit,
  MEMPOOL_LIFETIME_MS,
  type DepositEvent,
  type DepositOptions,
  type NodeReader,
  type Note,
} from '../../src/advanced.js';
import {
  FakeAccount,
  FakeAccountNode,
  FakeChain,
  FakePool,
  FakeRelayer,
  type FakeAccountFault,
} from '../../src/testing/index.js';
import { MemoryStorage } from '../support/memory-storage.js';
import { letPass, passTime } from '../support/virtual-time.js';

const note = createNote();
const MINUTE_MS = 60_000;
let chain: FakeChain;
let storage: MemoryStorage;
let relayer: FakeRelayer;
let account: FakeAccount;

beforeEach(() => {
  jest.useFakeTimers();
  chain = new FakeChain();
  storage = new MemoryStorage();
  relayer = new FakeRelayer(chain);
  account = new FakeAccount(chain);
});
afterEach(() => void jest.useRealTimers());

function begin(changes: Partial<DepositOptions> = {}): Deposit {
  return Deposit.begin({
    note,
    pool: new FakePool(chain),
    account,
    payment: { token: '0x70ce', amount: chain.denomination },
    relayers: [relayer.relayer],
    storage,
    locks: null,
    ...changes,
  });
}

/** Reads events until the deposit is on chain or has failed. */
async function untilPaid(deposit: Deposit): Promise<readonly DepositEvent[]> {
  const events: DepositEvent[] = [];
  for await (const event of deposit.events()) {
    events.push(event);
    if (event.type === 'deposited') break;
  }
  return events;
}

/** Reads events until one has this type, and then stops reading, as a closed tab does. */
async function until(deposit: Deposit, type: DepositEvent['type']): Promise<DepositEvent> {
  for await (const event of deposit.events()) if (event.type === type) return event;
  throw new Error(`there was no event ${type}`);
}

const paid = async (deposit: Deposit) => passTime(untilPaid(deposit));

/** Asserts that exactly one payment was made and no allowance is left, also minutes later. */
async function expectPaidOnce(): Promise<void> {
  await letPass(10 * MINUTE_MS);
  expect(chain.takenOf(account.address)).toBe(chain.denomination);
  expect(chain.allowanceOf(account.address)).toBe(0n);
}

describe('a deposit whose approval was sent without an answer', () => {
  it.each<FakeAccountFault>(['done-and-rejects', 'done-and-hangs', 'duplicate', 'malformed'])(
    'pays once and requests one approval if execute has the fault %s',
    async (fault) => {
      account.fault = fault;
      const events = await paid(begin());
      expect(events.at(-1)).toMatchObject({ type: 'deposited' });
      expect(account.requests).toBe(1);
      await expectPaidOnce();
    },
  );

  it('waits for an approval that appears four minutes after execute has rejected', async () => {
    account.fault = 'done-and-rejects';
    account.waitMs = 4 * MINUTE_MS;
    const events = await paid(begin());
    expect(events.find(({ type }) => type === 'unknown')).toMatchObject({
      error: { code: 'APPROVAL_UNKNOWN', cause: new Error('fetch failed') },
    });
    expect(events.at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(1);
    await expectPaidOnce();
  });

  it('requests no second approval in a later run while the first approval may land', async () => {
    account.fault = 'done-and-rejects';
    account.waitMs = 4 * MINUTE_MS;
    await passTime(until(begin(), 'unknown'));
    account.fault = undefined;
    expect(await Deposit.list(storage)).toMatchObject([{ state: 'open', isApproved: 'unknown' }]);
    const events = await paid(begin());
    expect(events.at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(1);
    await expectPaidOnce();
  });

  it('another deposit of the account requests no second approval while the first may land', async () => {
    account.fault = 'done-and-rejects';
    account.waitMs = 4 * MINUTE_MS;
    await passTime(until(begin(), 'unknown'));
    account.fault = undefined;
    account.waitMs = 0;
    const reading = untilPaid(begin({ note: createNote() }));
    await letPass(3 * MINUTE_MS);
    expect(account.requests).toBe(1);
    expect((await passTime(reading)).at(-1)).toMatchObject({ type: 'deposited' });
    expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(2);
    expect(chain.takenOf(account.address)).toBe(2n * chain.denomination);
    expect(chain.allowanceOf(account.address)).toBe(0n);
  });

  it('another deposit of the account does not wait for the approval of a paid deposit', async () => {
    // The account answers once its approval is accepted, so no run sees the allowance.
    const execute = account.execute.bind(account);
    account.execute = async (calls) => {
      const sent = await execute(calls);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      return sent;
    };
    await paid(begin());
    const events = await passTime(untilPaid(begin({ note: createNote() })), MINUTE_MS);
    expect(events.filter((event) => 'error' in event)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(2);
  });

  it('a paid deposit does not end the wait for the approval of a later deposit', async () => {
    // The tab closes before its deposit is seen, and the account's next deposit begins.
    await passTime(until(begin(), 'accepted'));
    await letPass(MINUTE_MS);
    account.fault = 'done-and-rejects';
    account.waitMs = 4 * MINUTE_MS;
    const next = { note: createNote() };
    await passTime(until(begin(next), 'unknown'));
    account.fault = undefined;
    expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
    expect((await paid(begin(next))).at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(2);
  });

  it('two tabs request one approval for one note', async () => {
    account.fault = 'done-and-rejects';
    account.waitMs = 2 * MINUTE_MS;
    const [one, other] = await passTime(Promise.all([untilPaid(begin()), untilPaid(begin())]));
    expect([one.at(-1), other.at(-1)]).toMatchObject([
      { type: 'deposited' },
      { type: 'deposited' },
    ]);
    expect(account.requests).toBe(1);
    await expectPaidOnce();
  });

  it('two tabs with two notes leave no allowance', async () => {
    account.fault = 'done-and-rejects';
    account.waitMs = MINUTE_MS;
    const notes: readonly Note[] = [note, createNote()];
    await passTime(Promise.all(notes.map((one) => untilPaid(begin({ note: one })))));
    await letPass(10 * MINUTE_MS);
    expect(chain.takenOf(account.address)).toBe(2n * chain.denomination);
    expect(chain.allowanceOf(account.address)).toBe(0n);
    expect(account.requests).toBe(2);
  });

  it('two processes of the account with separate storages pay once for one note', async () => {
    const twin = new FakeAccount(chain);
    twin.fault = 'duplicate';
    const [one, other] = await passTime(
      Promise.all([
        untilPaid(begin()),
        untilPaid(begin({ account: twin, storage: new MemoryStorage() })),
      ]),
    );
    expect([one.at(-1), other.at(-1)]).toMatchObject([
      { type: 'deposited' },
      { type: 'deposited' },
    ]);
    expect(chain.takenOf(account.address)).toBe(chain.denomination);
  });
});

describe('a deposit whose account did not approve', () => {
  it('reports a refusal by the owner at once', async () => {
    account.refuses = true;
    const begunAtMs = Date.now();
    expect((await paid(begin())).at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'APPROVAL_REFUSED' },
      isApproved: false,
    });
    expect(Date.now() - begunAtMs).toBeLessThan(MINUTE_MS);
    account.refuses = false;
    expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
  });

  it('reports the allowance that the chain shows, even after a refusal by the owner', async () => {
    chain.approve(account.address, 5n);
    await letPass(MINUTE_MS);
    account.refuses = true;
    expect((await paid(begin())).at(-1)).toMatchObject({
      error: { code: 'APPROVAL_REFUSED' },
      isApproved: true,
    });
  });

  it('reports unknown if the chain can not be read after a refusal by the owner', async () => {
    account.execute = async () => {
      chain.isReachable = false;
      throw Object.assign(new Error('An error occurred (USER_REFUSED_OP)'), { code: 113 });
    };
    expect((await paid(begin())).at(-1)).toMatchObject({
      error: { code: 'APPROVAL_REFUSED' },
      isApproved: 'unknown',
    });
  });

  it('reports a rejection as final only after the lifetime of a mempool', async () => {
    account.fault = 'rejects';
    const begunAtMs = Date.now();
    const events = await paid(begin());
    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'APPROVAL_REFUSED', cause: new Error('fetch failed') },
      isApproved: false,
    });
    expect(Date.now() - begunAtMs).toBeGreaterThan(MEMPOOL_LIFETIME_MS);
    expect(account.requests).toBe(1);
  });

  it('treats a refusal that the wallet only writes as text as a rejection without evidence', async () => {
    account.execute = async () => {
      account.requests += 1;
      chain.approve(account.address, chain.denomination, MINUTE_MS);
      throw new Error('User abort');
    };
    expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(1);
  });

  it('reports a rejection as final once the next nonce is on chain without an allowance', async () => {
    account.fault = 'rejects';
    const begunAtMs = Date.now();
    const reading = untilPaid(begin());
    await letPass(10_000);
    chain.send(account.address);
    const events = await passTime(reading);
    expect(events.at(-1)).toMatchObject({ error: { code: 'APPROVAL_REFUSED' }, isApproved: false });
    expect(Date.now() - begunAtMs).toBeLessThan(MINUTE_MS);
  });

  it('a transaction that the account sent before the approval is no evidence against the approval', async () => {
    // The wallet first sends another transaction; the approval has the nonce after it.
    account.execute = async () => {
      account.requests += 1;
      chain.send(account.address);
      chain.approve(account.address, chain.denomination, 2 * MINUTE_MS);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      throw new Error('fetch failed');
    };
    expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(1);
  });

  it('requests a second approval if the first one has reverted', async () => {
    account.fault = 'reverts';
    const reading = untilPaid(begin());
    await letPass(MINUTE_MS);
    account.fault = undefined;
    expect((await passTime(reading)).at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(2);
    await expectPaidOnce();
  });

  it('fails with ACCOUNT_SILENT after five minutes without an answer, and can be started again', async () => {
    account.fault = 'hangs';
    expect((await paid(begin())).at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'ACCOUNT_SILENT' },
      isApproved: 'unknown',
    });
    expect(await Deposit.list(storage)).toMatchObject([{ state: 'failed', isApproved: 'unknown' }]);
    account.fault = undefined;
    // The owner answers the first request now.
    await account.execute([
      { contractAddress: '0x70ce', entrypoint: 'approve', calldata: [chain.pool, '0x4e20', '0x0'] },
    ]);
    expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(2);
    await expectPaidOnce();
  });

  it('requests the approval again after a silent account can no longer send it', async () => {
    account.fault = 'hangs';
    await paid(begin());
    account.fault = undefined;
    const beganAtMs = Date.now();
    expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
    expect(Date.now() - beganAtMs).toBeGreaterThan(MEMPOOL_LIFETIME_MS);
    expect(account.requests).toBe(2);
  });
});

describe('a deposit with an allowance', () => {
  it('requests no approval if the allowance suffices', async () => {
    chain.approve(account.address, 3n * chain.denomination);
    await letPass(MINUTE_MS);
    const events = await paid(begin());
    expect(events.map(({ type }) => type)).not.toContain('approving');
    expect(events.at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(0);
  });

  it('requests an approval if another process has used the allowance up', async () => {
    chain.approve(account.address, chain.denomination);
    await letPass(MINUTE_MS);
    await passTime(until(begin(), 'signing'));
    chain.approve(account.address, 0n);
    await letPass(MINUTE_MS);
    expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
    expect(account.requests).toBe(1);
  });

  it('waits with the request while the chain can not be read', async () => {
    const node = new FakeAccountNode(chain);
    let isDown = true;
    const call = node.call.bind(node);
    node.call = async (view, signal) => {
      if (isDown) throw new Error('HTTP 503');
      return call(view, signal);
    };
    const reading = untilPaid(begin({ pool: new FakePool(chain, { node }) }));
    await letPass(MINUTE_MS);
    expect(account.requests).toBe(0);
    isDown = false;
    const events = await passTime(reading);
    expect(events[0]).toMatchObject({ type: 'waiting', error: { code: 'NODE_UNREACHABLE' } });
    expect(events.at(-1)).toMatchObject({ type: 'deposited' });
  });

  it.each<[string, Partial<Pick<NodeReader, 'call' | 'block' | 'nonce'>>, string]>([
    ['an allowance of one felt', { call: async () => [1n] }, 'NODE_MALFORMED_ANSWER'],
    ['an allowance above a u256', { call: async () => [1n << 128n, 0n] }, 'NODE_MALFORMED_ANSWER'],
    ['no block', { block: async () => undefined }, 'NODE_MALFORMED_ANSWER'],
    ['nothing', { call: () => new Promise(() => undefined) }, 'NODE_UNREACHABLE'],
  ])('waits with the request if the node answers %s', async (_what, answers, code) => {
    const node = Object.assign(new FakeAccountNode(chain), answers);
    const pool = new FakePool(chain, { node });
    const event = await passTime(until(begin({ pool }), 'waiting'));
    expect(event).toMatchObject({ type: 'waiting', error: { code } });
    expect(account.requests).toBe(0);
  });
});

function withoutNonce(): NodeReader {
  return Object.assign(new FakeAccountNode(chain), { nonce: undefined });
}

describe('a deposit with a node reader of the caller', () => {
  it('a reader without nonce() shows an approval whose answer was lost', async () => {
    account.fault = 'done-and-rejects';
    account.waitMs = MINUTE_MS;
    const pool = new FakePool(chain, { node: withoutNonce() });
    expect((await paid(begin({ pool }))).at(-1)).toMatchObject({ type: 'deposited' });
    await expectPaidOnce();
  });

  it('a reader without nonce() needs the lifetime of a mempool as evidence', async () => {
    account.fault = 'rejects';
    const begunAtMs = Date.now();
    const reading = untilPaid(begin({ pool: new FakePool(chain, { node: withoutNonce() }) }));
    await letPass(10_000);
    chain.send(account.address);
    expect((await passTime(reading)).at(-1)).toMatchObject({ isApproved: false });
    expect(Date.now() - begunAtMs).toBeGreaterThan(MEMPOOL_LIFETIME_MS);
  });

  it('a pool view without a node reports unknown, never false', async () => {
    account.fault = 'done-and-rejects';
    const pool = new FakePool(chain, { node: null });
    expect((await paid(begin({ pool }))).at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'APPROVAL_UNKNOWN' },
      isApproved: 'unknown',
    });
    account.fault = undefined;
    const reading = untilPaid(begin({ pool: new FakePool(chain, { node: null }) }));
    await letPass(4 * MINUTE_MS);
    expect(account.requests).toBe(1);
    expect((await passTime(reading)).at(-1)).toMatchObject({ type: 'deposited' });
  });
});

describe('a consent', () => {
  it.each<[FakeAccountFault, string]>([
    ['rejects', 'SIGNING_REFUSED'],
    ['done-and-rejects', 'SIGNING_REFUSED'],
    ['malformed', 'SIGNING_REFUSED'],
    ['hangs', 'ACCOUNT_SILENT'],
    ['done-and-hangs', 'ACCOUNT_SILENT'],
  ])(
    'a consent is signed again in a later run if signMessage has the fault %s',
    async (fault, code) => {
      account.signingFault = fault;
      expect((await paid(begin())).at(-1)).toMatchObject({ type: 'failed', error: { code } });
      expect(relayer.requests).not.toContain('POST /api/relayer/deposit');
      account.signingFault = undefined;
      expect((await paid(begin())).at(-1)).toMatchObject({ type: 'deposited' });
      expect(account.requests).toBe(1);
      await expectPaidOnce();
    },
  );

  it.each<[string, unknown]>([
    ['no felts', []],
    ['a negative felt', [-1n, 2n]],
    ['a felt outside the field', [`0x${'f'.repeat(64)}`, '0x1']],
    ['very many felts', Array.from({ length: 65 }, () => '0x1')],
    ['a text', 'signed'],
  ])('a signature with %s is not sent to a relayer', async (_what, signature) => {
    account.signMessage = async () => JSON.parse(JSON.stringify(signature, texts));
    expect((await paid(begin())).at(-1)).toMatchObject({ error: { code: 'SIGNING_REFUSED' } });
    expect(relayer.requests).not.toContain('POST /api/relayer/deposit');
  });
});

function texts(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
