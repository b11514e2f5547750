import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  createNote,
  Deposit,
  MEMPOOL_LIFETIME_MS,
  revocation,
  type DepositAccount,
  type DepositEvent,
  type DepositOptions,
  type ResumeDepositOptions,
} from '../../src/advanced.js';
import { FakeAccount, FakeChain, FakePool, FakeRelayer } from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';
import { MemoryStorage } from '../support/memory-storage.js';
import { readAll } from '../support/read-all.js';
import { letPass, passTime } from '../support/virtual-time.js';
import { WalletProcess, type Moment } from '../support/wallet-process.js';

const TOKEN = '0x70ce';
const note = createNote();
const locks = null;
let chain: FakeChain;
let storage: MemoryStorage;
let first: FakeRelayer;
let second: FakeRelayer;
let account: FakeAccount;

beforeEach(() => {
  jest.useFakeTimers();
  chain = new FakeChain();
  chain.seed([createNote().commitment, createNote().commitment]);
  storage = new MemoryStorage();
  first = new FakeRelayer(chain);
  second = new FakeRelayer(chain, { baseUrl: 'https://second.example', privateKey: '0x222' });
  account = new FakeAccount(chain);
});
afterEach(() => void jest.useRealTimers());

function begin(changes: Partial<DepositOptions> = {}): Deposit {
  return Deposit.begin({
    note,
    pool: new FakePool(chain),
    account,
    payment: { token: TOKEN, amount: chain.denomination },
    relayers: [first.relayer, second.relayer],
    storage,
    locks,
    ...changes,
  });
}

const ownMeans = (): ResumeDepositOptions => ({
  pool: new FakePool(chain),
  account,
  relayers: [first.relayer],
  locks,
});

const namesOf = (events: readonly DepositEvent[]): readonly string[] =>
  events.map((event) => ('error' in event ? `${event.type} ${event.error.code}` : event.type));

/** Reads events until the deposit has ended or waits for its batch. */
async function paid(deposit: Deposit): Promise<readonly DepositEvent[]> {
  return passTime(untilPaid(deposit));
}

async function untilPaid(deposit: Deposit): Promise<readonly DepositEvent[]> {
  const events: DepositEvent[] = [];
  for await (const event of deposit.events()) {
    events.push(event);
    if (event.type === 'deposited') break;
  }
  return events;
}

const lost =
  (path: string, how: 'lost' | 'unanswered') =>
  (requested: string): 'lost' | 'unanswered' | undefined =>
    requested.endsWith(path) ? how : undefined;

const isAllowanceTooLow: FakeRelayer['fault'] = (path) =>
  path.endsWith('/deposit')
    ? { code: 'DEPOSIT_ALLOWANCE_TOO_LOW', retry: 'later', status: 422 }
    : undefined;

/** Returns options with the first relayer, whose reports of a submission contain these fields. */
function showing(fields: object): Partial<DepositOptions> {
  const { relayer } = first;
  const fetch = async (request: Request): Promise<Response> =>
    request.url.includes('/submissions/')
      ? Response.json({ transaction_hash: '0xbad', revert_reason: null, ...fields })
      : (relayer.fetch?.(request) ?? Response.error());
  return { relayers: [{ ...relayer, fetch }, second.relayer] };
}

describe('a deposit', () => {
  it('a deposit whose batch is deployed at once becomes active within five seconds', async () => {
    const deposit = begin();
    let depositedMs = Infinity;
    let activeMs = Infinity;
    const reading = (async () => {
      for await (const { type } of deposit.events()) {
        if (type === 'deposited' && depositedMs === Infinity) {
          depositedMs = Date.now();
          chain.deployBatch();
        }
        if (type === 'active') activeMs = Date.now();
      }
    })();
    await passTime(reading);
    expect(activeMs - depositedMs).toBeLessThan(5_000);
  });

  it('a deposit is approved, signed and relayed, waits for its batch and becomes active', async () => {
    const deposit = begin();
    const events: DepositEvent[] = [];
    const reading = (async () => {
      for await (const event of deposit.events()) events.push(event);
    })();
    await letPass(120_000);
    // The relayer does not see the approval before it is in a block. No event has an error.
    expect([...new Set(namesOf(events))]).toEqual([
      'approving',
      'signing',
      'posting',
      'approval-pending',
      'accepted',
      'included',
      'deposited',
    ]);
    chain.deployBatch();
    await passTime(reading);
    expect(events.at(-1)).toEqual({ type: 'active', leafIndex: 2, batch: { start: 2, size: 1 } });
    expect(account.calls).toEqual([
      { contractAddress: TOKEN, entrypoint: 'approve', calldata: [chain.pool, '0x4e20', '0x0'] },
    ]);
    expect(account.signed).toHaveLength(1);
    expect(chain.takenOf(account.address)).toBe(chain.denomination);
    expect(chain.allowanceOf(account.address)).toBe(0n);
    expect(await passTime(readAll(begin().events()))).toEqual(events.slice(-1));
    expect(await Deposit.list(storage)).toEqual([
      expect.objectContaining({ id: deposit.id, state: 'active', leafIndex: 2, amount: 20_000n }),
    ]);
  });

  it('a deposit does not approve a second time while its relayer has not read the first approval', async () => {
    const refusal = { code: 'DEPOSIT_ALLOWANCE_TOO_LOW', retry: 'later', status: 422 };
    const refusals = [refusal, refusal, refusal];
    first.fault = (path) => (path.endsWith('/deposit') ? refusals.pop() : undefined);
    const names = namesOf(await paid(begin()));
    expect(names).toContain('approval-pending');
    expect(names.at(-1)).toBe('deposited');
    expect(account.calls).toHaveLength(1);
    expect(account.signed).toHaveLength(1);
  });

  it('uses another relayer if a relayer does not see the allowance that the chain shows', async () => {
    first.fault = isAllowanceTooLow;
    expect(namesOf(await paid(begin())).at(-1)).toBe('deposited');
    expect(account.calls).toHaveLength(1);
    expect(second.requests).toContain('POST /api/relayer/deposit');
  });

  it('a deposit fails if no relayer sees the allowance that the chain shows', async () => {
    first.fault = isAllowanceTooLow;
    const events = await paid(begin({ relayers: [first.relayer] }));
    expect(namesOf(events).at(-1)).toBe('failed DEPOSIT_ALLOWANCE_TOO_LOW');
    expect(events.at(-1)).toMatchObject({ isApproved: true });
    expect(account.calls).toHaveLength(1);
  });

  it('a deposit fails if its second approval has no effect either', async () => {
    account.fault = 'reverts';
    const events = await paid(begin());
    expect(namesOf(events).at(-1)).toBe('failed DEPOSIT_ALLOWANCE_TOO_LOW');
    expect(events.at(-1)).toMatchObject({ isApproved: false });
    expect(account.calls).toHaveLength(2);
  });

  it('a deposit requests nothing from the account if the note’s commitment is already on chain', async () => {
    chain.deposit(note.commitment);
    await letPass(10_000);
    expect(namesOf(await paid(begin()))).toEqual(['deposited']);
    expect(account.calls).toEqual([]);
    expect(first.requests).toEqual([]);
  });

  it('a deposit fails without a payment if the account’s owner declines', async () => {
    account.refuses = true;
    expect(namesOf(await paid(begin())).at(-1)).toBe('failed APPROVAL_REFUSED');
    account.refuses = false;
    const events: DepositEvent[] = [];
    for await (const event of begin().events()) {
      events.push(event);
      if (event.type === 'approving' && event.transactionHash !== null) account.refuses = true;
      if (event.type === 'signing') break;
    }
    account.refuses = false;
    expect(namesOf(await paid(begin())).at(-1)).toBe('deposited');
    expect(chain.takenOf(account.address)).toBe(chain.denomination);
  });

  it('a failed deposit reports whether an approval exists that the owner may want to revoke', async () => {
    account.refuses = true;
    const refused = await paid(begin());
    expect(refused.at(-1)).toMatchObject({ type: 'failed', isApproved: false });
    account.refuses = false;
    const signs: DepositAccount = {
      address: account.address,
      execute: (calls) => account.execute(calls),
      signMessage: () => Promise.reject(new Error('the owner declines')),
    };
    const left = { type: 'failed', error: { code: 'SIGNING_REFUSED' } };
    const failed = begin({ account: signs });
    // The approval was sent, and the chain does not show it yet.
    expect((await paid(failed)).at(-1)).toMatchObject({ ...left, isApproved: 'unknown' });
    expect(await Deposit.list(storage)).toMatchObject([{ isApproved: 'unknown' }]);
    await letPass(60_000);
    const resumed = await Deposit.resume(storage, failed.id, ownMeans());
    expect((await paid(resumed)).at(-1)).toMatchObject({ ...left, isApproved: true });
    expect(await Deposit.list(storage)).toMatchObject([{ isApproved: true }]);
    // The deposit is started again: the approval is in force, so no second approval is requested.
    account.refuses = true;
    expect((await paid(begin())).at(-1)).toMatchObject({ ...left, isApproved: true });
    expect(account.calls).toHaveLength(1);
    // The other account has not approved any amount.
    const other = new FakeAccount(chain, '0xacd');
    other.refuses = true;
    expect((await paid(begin({ account: other }))).at(-1)).toMatchObject({ isApproved: false });
    account.refuses = false;
    await letPass(60_000);
    expect(chain.allowanceOf(account.address)).toBe(chain.denomination);
    await account.execute([revocation(TOKEN, chain.pool)]);
    await letPass(60_000);
    expect(chain.allowanceOf(account.address)).toBe(0n);
  });

  it('does not treat an approval as declined if the storage fails after the approval was sent', async () => {
    const full = new MemoryStorage();
    let isFull = true;
    full.read = (key) => storage.read(key);
    full.keys = (prefix) => storage.keys(prefix);
    full.replace = async (key, expected, next) => {
      if (isFull && account.calls.length > 0) {
        isFull = false;
        throw new Error('no room');
      }
      return storage.replace(key, expected, next);
    };
    await expect(paid(begin({ storage: full }))).rejects.toThrow('no room');
    account.refuses = true;
    const failed = { error: { code: 'SIGNING_REFUSED' }, isApproved: true };
    await letPass(60_000);
    expect((await paid(begin())).at(-1)).toMatchObject(failed);
    expect(account.calls).toHaveLength(1);
  });

  it('a deposit fails at once if a relayer’s reason for the rejection applies to every relayer', async () => {
    first.fault = (path) =>
      path.endsWith('/deposit')
        ? { code: 'DEPOSIT_BALANCE_TOO_LOW', retry: 'later', status: 422 }
        : undefined;
    expect(namesOf(await paid(begin())).at(-1)).toBe('failed DEPOSIT_BALANCE_TOO_LOW');
    expect(second.requests).not.toContain('POST /api/relayer/deposit');
  });

  it('a deposit requests a new signature from the account after the signed consent has expired', async () => {
    first.isAccepting = false;
    first.hasCapacity = false;
    second.hasCapacity = false;
    const deposit = begin();
    const reading = untilPaid(deposit);
    await letPass(60_000);
    expect(account.signed).toHaveLength(0);
    first.hasCapacity = true;
    const refusals = [{ code: 'DEPOSIT_EXPIRED', retry: 'never', status: 422 }];
    first.fault = (path) => (path.endsWith('/deposit') ? refusals.pop() : undefined);
    expect(namesOf(await passTime(reading)).at(-1)).toBe('deposited');
    expect(account.signed).toHaveLength(2);
    expect(second.requests).not.toContain('POST /api/relayer/deposit');
  });

  it('a deposit sends the same signed consent to the second relayer if the first relayer rejects it', async () => {
    first.fault = (path) =>
      path.endsWith('/deposit')
        ? { code: 'POOL_NEARLY_FULL', retry: 'never', status: 422 }
        : undefined;
    expect(namesOf(await paid(begin())).at(-1)).toBe('deposited');
    expect(account.signed).toHaveLength(1);
    expect(second.requests).toContain('POST /api/relayer/deposit');
  });

  it('a deposit uses the second relayer if the first relayer does not respond, and pays only once', async () => {
    first.fault = lost('/deposit', 'lost');
    const reading = untilPaid(begin());
    await letPass(MEMPOOL_LIFETIME_MS - 30_000);
    expect(second.requests).not.toContain('POST /api/relayer/deposit');
    expect(namesOf(await passTime(reading)).at(-1)).toBe('deposited');
    expect(second.requests).toContain('POST /api/relayer/deposit');
    expect(chain.takenOf(account.address)).toBe(chain.denomination);
  });

  it('a deposit is found on chain if its relayer does not respond', async () => {
    first.fault = lost('/deposit', 'unanswered');
    expect(namesOf(await paid(begin())).at(-1)).toBe('deposited');
    expect(second.requests).not.toContain('POST /api/relayer/deposit');
    expect(chain.takenOf(account.address)).toBe(chain.denomination);
  });

  it('a deposit uses a second relayer if the chain does not confirm the first relayer’s report of an existing deposit', async () => {
    first.fault = (path) =>
      path.endsWith('/deposit')
        ? { code: 'DEPOSIT_EXISTS', retry: 'never', status: 409 }
        : undefined;
    const names = namesOf(await paid(begin()));
    expect(names).toContain('unknown DEPOSIT_NOT_SEEN');
    expect(names.at(-1)).toBe('deposited');
    expect(second.requests).toContain('POST /api/relayer/deposit');
  });

  it('a deposit can still land through a dismissed relayer until the signed consent expires', async () => {
    first.fault = (path) =>
      path.endsWith('/deposit')
        ? { code: 'DEPOSIT_EXISTS', retry: 'never', status: 409 }
        : undefined;
    const reading = untilPaid(begin({ relayers: [first.relayer] }));
    await letPass(MEMPOOL_LIFETIME_MS + 60_000);
    chain.deposit(note.commitment, account.address);
    const names = namesOf(await passTime(reading));
    expect(names.at(-1)).toBe('deposited');
    expect(names.filter((name) => name.startsWith('failed'))).toEqual([]);
    expect(chain.takenOf(account.address)).toBe(chain.denomination);
  });

  it('a deposit fails after its signed consent has expired if all relayers were dismissed', async () => {
    first.fault = (path) =>
      path.endsWith('/deposit')
        ? { code: 'DEPOSIT_EXISTS', retry: 'never', status: 409 }
        : undefined;
    const begunAtMs = Date.now();
    const events = await paid(begin({ relayers: [first.relayer] }));
    expect(events.at(-1)).toMatchObject({ type: 'failed', isApproved: true });
    const [consent] = account.signed;
    const expiresAtMs = Number(consent?.message.expires_at) * 1_000;
    expect(expiresAtMs).toBeGreaterThan(begunAtMs);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAtMs + MEMPOOL_LIFETIME_MS);
  });

  it.each([
    ['in flight for ever', { execution_status: 'UNKNOWN', finality: null }],
    ['reverted', { execution_status: 'REVERTED', finality: 'ACCEPTED_ON_L2' }],
    ['on chain', { execution_status: 'SUCCEEDED', finality: 'ACCEPTED_ON_L2' }],
  ])(
    'reads the outcome of a deposit from the chain if a relayer reports it as %s',
    async (_what, fields) => {
      const include = chain.deposit.bind(chain);
      let isIdle = true;
      chain.deposit = (commitment, depositor) => {
        if (!isIdle) return include(commitment, depositor);
        // The first submission is never sent to the chain.
        isIdle = false;
        return { hash: '0xbad', isReverted: false, includedAtMs: Infinity, acceptedAtMs: Infinity };
      };
      const names = namesOf(await paid(begin(showing(fields))));
      expect(names.at(-1)).toBe('deposited');
      expect(second.requests).toContain('POST /api/relayer/deposit');
      expect(chain.takenOf(account.address)).toBe(chain.denomination);
    },
  );

  it('a deposit waits until another deposit of the same account has ended', async () => {
    const other = createNote();
    const [here, there] = await passTime(
      Promise.all([untilPaid(begin()), untilPaid(begin({ note: other }))]),
    );
    expect(namesOf(here).at(-1)).toBe('deposited');
    expect(namesOf(there).at(-1)).toBe('deposited');
    expect([...namesOf(here), ...namesOf(there)]).toContain('waiting ANOTHER_DEPOSIT');
    expect(chain.takenOf(account.address)).toBe(2n * chain.denomination);
    expect(chain.allowanceOf(account.address)).toBe(0n);
    expect(chain.transactions.filter(({ isReverted }) => isReverted)).toEqual([]);
  });

  it('a reader of a deposit’s events can stop while the account waits for its owner', async () => {
    const asking: DepositAccount = {
      address: account.address,
      execute: () => new Promise<never>(() => undefined),
      signMessage: (data) => account.signMessage(data),
    };
    const reading = begin({ account: asking }).events();
    expect((await passTime(reading.next())).value).toMatchObject({ type: 'approving' });
    await passTime(reading.return());
    expect(namesOf(await paid(begin())).at(-1)).toBe('deposited');
    expect(chain.takenOf(account.address)).toBe(chain.denomination);
  });

  it('an unfinished deposit can not be continued with a different account', async () => {
    first.fault = lost('/deposit', 'lost');
    const untilUnknown = async (): Promise<void> => {
      for await (const event of begin().events()) if (event.type === 'unknown') break;
    };
    await passTime(untilUnknown());
    const other = new FakeAccount(chain, '0xacd');
    expect(namesOf(await paid(begin({ account: other })))).toEqual(['failed ANOTHER_DEPOSITOR']);
    expect(other.calls).toEqual([]);
  });

  it('a deposit can be resumed only if pool, account and payment match', async () => {
    const malformed = { token: 'WBTC', amount: 1n };
    expect(await codeOf(() => begin({ payment: malformed }))).toBe('PAYMENT_MALFORMED');
    const { id } = begin();
    const means = { pool: new FakePool(chain), account, relayers: [], locks };
    expect(await codeOf(() => Deposit.resume(storage, id, means))).toBe('JOURNEY_UNKNOWN');
    await paid(begin());
    const other = new FakeAccount(chain, '0xacd');
    expect(await codeOf(() => Deposit.resume(storage, id, { ...means, account: other }))).toBe(
      'JOURNEY_MISMATCH',
    );
    const resumed = await Deposit.resume(storage, id, means);
    expect(namesOf(await paid(resumed))).toEqual(['deposited']);
  });
});

/**
 * All external calls of a deposit until it is paid, in the sequence in which they happen if no call
 * fails.
 */
const CALLS = [
  'storage keys',
  'storage write',
  'storage read',
  'storage write',
  'storage write',
  'storage read',
  'storage write',
  'chain read',
  'GET /status',
  'GET /status',
  'POST /api/relayer/deposit?dryRun=true',
  'chain read',
  'allowance',
  'storage write',
  'storage write',
  'approving',
  'storage write',
  'storage write',
  'GET /status',
  'GET /status',
  'signing',
  'storage write',
  'storage write',
  'POST /api/relayer/deposit',
] as const;
const moments: readonly Moment[] = ['before', 'after'];
const points = CALLS.flatMap((name, call) =>
  moments.map((moment) => [`${moment} ${call + 1}: ${name}`, call, moment] as const),
);

async function run(process: WalletProcess): Promise<readonly DepositEvent[]> {
  const means = {
    pool: process.pool(new FakePool(chain)),
    account: process.account(account),
    relayers: [process.relayer(first.relayer), process.relayer(second.relayer)],
    locks,
  };
  const kept = process.storage(storage);
  const [begun] = await Deposit.list(kept);
  const deposit =
    begun === undefined
      ? begin({ ...means, storage: kept })
      : await Deposit.resume(kept, begun.id, means);
  return untilPaid(deposit);
}

it('an uninterrupted deposit makes exactly the calls at which the other tests interrupt it', async () => {
  const process = new WalletProcess();
  await passTime(run(process));
  expect(process.calls.slice(0, CALLS.length)).toEqual(CALLS);
});

describe.each([
  ['nothing else fails', undefined],
  ['the first relayer is dead after it', () => 'lost' as const],
])('closed at any point, where %s', (_name, fault) => {
  it.each(points)(
    'a deposit is paid once after the next start if its tab was closed %s',
    async (_point, call, moment) => {
      const closed = new WalletProcess({ call, moment });
      void run(closed).catch(() => undefined);
      await passTime(closed.closed);
      if (fault !== undefined) first.fault = fault;
      const events = await passTime(run(new WalletProcess()));
      expect(events.at(-1)).toEqual({ type: 'deposited', leafIndex: 2 });
      expect(chain.takenOf(account.address)).toBe(chain.denomination);
      // No allowance remains that could be collected without a consent.
      expect(chain.allowanceOf(account.address)).toBe(0n);
    },
  );
});
