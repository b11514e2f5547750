import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { createNote, Deposit, type DepositEvent } from '../../src/advanced.js';
import {
  FakeAccount,
  FakeChain,
  FakePool,
  FakeRelayer,
  type FakeFault,
} from '../../src/testing/index.js';
import { MemoryStorage } from '../support/memory-storage.js';
import { letPass, passTime } from '../support/virtual-time.js';

const DRY_RUN = 'POST /api/relayer/deposit?dryRun=true';
const note = createNote();
let chain: FakeChain;
let first: FakeRelayer;
let second: FakeRelayer;
let account: FakeAccount;

beforeEach(() => {
  jest.useFakeTimers();
  chain = new FakeChain();
  first = new FakeRelayer(chain);
  second = new FakeRelayer(chain, { baseUrl: 'https://second.example', privateKey: '0x222' });
  account = new FakeAccount(chain);
});
afterEach(() => void jest.useRealTimers());

const begin = (relayers = [first]): Deposit =>
  Deposit.begin({
    note,
    pool: new FakePool(chain),
    account,
    payment: { token: '0x70ce', amount: chain.denomination },
    relayers: relayers.map(({ relayer }) => relayer),
    storage: new MemoryStorage(),
    locks: null,
  });

/** Reads events until the deposit has ended or waits for its batch. */
function read(deposit: Deposit): { events: DepositEvent[]; ended: Promise<void> } {
  const events: DepositEvent[] = [];
  const ended = (async () => {
    for await (const event of deposit.events()) {
      events.push(event);
      if (event.type === 'deposited') break;
    }
  })();
  return { events, ended };
}

/** Returns faults that concern only the dry run of a deposit. */
const onDryRun =
  (fault: ReturnType<FakeFault>): FakeFault =>
  (path) =>
    path.includes('dryRun') ? fault : undefined;

const UNHELPFUL: readonly (readonly [string, () => void])[] = [
  ['has no dry run', () => void (first.hasDepositDryRun = false)],
  ['does not answer the dry run', () => void (first.fault = onDryRun('lost'))],
  [
    'rejects the dry run',
    () => void (first.fault = onDryRun({ code: 'DEPOSITS_RATIONED', retry: 'same', status: 429 })),
  ],
];

const NO_REQUEST = { calls: [], signed: [] };

describe('Deposit', () => {
  it.each(['DEPOSIT_BALANCE_TOO_LOW', 'DEPOSITOR_NOT_DEPLOYED'])(
    'fails with %s before it requests an approval',
    async (code) => {
      first.depositFailures = [{ code, retry: 'later' }];
      const { events, ended } = read(begin());
      await passTime(ended);
      expect(events).toMatchObject([{ type: 'failed', error: { code }, isApproved: false }]);
      expect(account).toMatchObject(NO_REQUEST);
    },
  );

  it('waits with the time of the relayer, and requests no approval until the relayer would accept it', async () => {
    const retryAt = Math.floor(Date.now() / 1_000) + 300;
    first.depositFailures = [{ code: 'DEPOSITS_RATIONED', retry: 'same', retryAt }];
    const { events, ended } = read(begin());
    await letPass(300_000);
    expect(events).toMatchObject([
      { type: 'waiting', error: { code: 'DEPOSITS_RATIONED', retry: 'same', retryAt } },
    ]);
    expect(account).toMatchObject(NO_REQUEST);
    first.depositFailures = [];
    await passTime(ended);
    expect(events.at(-1)?.type).toBe('deposited');
    expect(account.calls).toHaveLength(1);
  });

  it.each(['POOL_NEARLY_FULL', 'POOL_PAUSED'])(
    'uses the second relayer, with one approval, if the first reports %s',
    async (code) => {
      first.depositFailures = [{ code, retry: code === 'POOL_PAUSED' ? 'same' : 'never' }];
      const { events, ended } = read(begin([first, second]));
      await passTime(ended);
      expect(events.at(-1)?.type).toBe('deposited');
      expect(account.calls).toHaveLength(1);
      expect(first.requests).not.toContain('POST /api/relayer/deposit');
    },
  );

  it('fails without an approval if every relayer has dismissed the pool', async () => {
    first.depositFailures = [{ code: 'POOL_NEARLY_FULL', retry: 'never' }];
    const { events, ended } = read(begin());
    await passTime(ended);
    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'POOL_NEARLY_FULL' },
      isApproved: false,
    });
    expect(account).toMatchObject(NO_REQUEST);
  });

  it.each(UNHELPFUL)('a deposit succeeds through a relayer that %s', async (_what, arrange) => {
    arrange();
    const { events, ended } = read(begin());
    await passTime(ended);
    expect(events.at(-1)?.type).toBe('deposited');
    expect(account.calls).toHaveLength(1);
  });

  it('shows no error in an ordinary deposit, and queries the relayer once before the approval', async () => {
    const { events, ended } = read(begin());
    await passTime(ended);
    expect(events.filter((event) => 'error' in event)).toEqual([]);
    expect(events).toContainEqual({
      type: 'approval-pending',
      transactionHash: expect.stringMatching(/^0x/),
    });
    expect(first.requests.filter((request) => request === DRY_RUN)).toHaveLength(1);
  });
});
