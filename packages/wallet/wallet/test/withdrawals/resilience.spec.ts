import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { createNote, Withdrawal, type WithdrawalEvent } from '../../src/advanced.js';
import { FakeChain, FakePool, FakeProver, FakeRelayer } from '../../src/testing/index.js';
import { MemoryStorage } from '../support/memory-storage.js';
import { passTime } from '../support/virtual-time.js';
import { WalletProcess, type Moment } from '../support/wallet-process.js';

const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';
const note = createNote();
const others = [createNote().commitment, createNote().commitment];
const locks = null;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/**
 * Fake environment of a wallet: a chain, two relayers and the wallet's storage. The environment
 * continues to exist when a process of the wallet ends.
 */
class World {
  readonly chain = new FakeChain();
  readonly storage = new MemoryStorage();
  readonly prover = new FakeProver();
  readonly first = new FakeRelayer(this.chain);
  readonly second = new FakeRelayer(this.chain, {
    baseUrl: 'https://second.example',
    privateKey: '0x222',
    feeAddress: '0xfee2',
  });

  constructor() {
    this.chain.seed([...others, note.commitment]);
  }

  /**
   * Simulates a start of the wallet. If a withdrawal exists, it continues; otherwise a withdrawal
   * begins.
   */
  async run(process: WalletProcess): Promise<readonly WithdrawalEvent[]> {
    const storage = process.storage(this.storage);
    const means = {
      note,
      pool: process.pool(new FakePool(this.chain)),
      prover: process.prover(this.prover),
      relayers: [process.relayer(this.first.relayer), process.relayer(this.second.relayer)],
      locks,
    };
    const [begun] = await Withdrawal.list(storage);
    const withdrawal =
      begun === undefined
        ? Withdrawal.begin({ ...means, storage, recipient: RECIPIENT, maxFee: 100n })
        : await Withdrawal.resume(storage, begun.id, means);
    const events: WithdrawalEvent[] = [];
    for await (const event of withdrawal.events()) events.push(event);
    return events;
  }

  async journal(): Promise<string> {
    const texts = await Promise.all(
      (await this.storage.keys('')).map((key) => this.storage.read(key)),
    );
    return texts.join('\n');
  }
}

/** All external calls of a withdrawal, in the sequence in which they happen if no call fails. */
const CALLS = [
  'storage keys',
  'storage write',
  'storage read',
  'storage write',
  'chain read',
  // The guard: whether the note is at risk, its turn, the wallet's records, and the admission.
  'storage keys',
  'storage write',
  'storage read',
  'storage write',
  'storage keys',
  'storage keys',
  'storage keys',
  'storage keys',
  'storage read',
  'storage write',
  'storage write',
  'storage write',
  'storage write',
  'GET /status',
  'GET /status',
  'POST /api/relayer/quote',
  'proving',
  'storage write',
  'storage write',
  'POST /api/relayer/withdraw',
  'storage write',
  'GET /api/relayer/submissions/{id}',
] as const;

const moments: readonly Moment[] = ['before', 'after'];
/**
 * Points at which a tab may be closed: before each call, and after each call before its result
 * arrives.
 */
const points = CALLS.flatMap((name, call) =>
  moments.map((moment) => [`${moment} ${call + 1}: ${name}`, call, moment] as const),
);

it('an uninterrupted withdrawal makes exactly the calls at which the other tests interrupt it', async () => {
  const process = new WalletProcess();
  const events = await passTime(new World().run(process));
  expect(process.calls.slice(0, CALLS.length)).toEqual(CALLS);
  // The remaining calls poll the submission and end the withdrawal.
  expect(new Set(process.calls.slice(CALLS.length))).toEqual(
    new Set(['GET /api/relayer/submissions/{id}', 'chain read', 'storage write']),
  );
  expect(events.at(-1)?.type).toBe('settled');
});

type Trouble = (world: World) => void;

const TROUBLES: readonly (readonly [string, Trouble])[] = [
  ['nothing else goes wrong', () => undefined],
  [
    'the network fails for ten minutes after it',
    ({ chain, first, second }) => {
      const upAtMs = Date.now() + 600_000;
      chain.isReachable = false;
      setTimeout(() => (chain.isReachable = true), 600_000);
      for (const relayer of [first, second])
        relayer.fault = () => (Date.now() < upAtMs ? 'lost' : undefined);
    },
  ],
  ['the first relayer is dead after it', ({ first }) => void (first.fault = () => 'lost')],
  [
    'the first relayer is back after an hour',
    ({ first }) => {
      const upAtMs = Date.now() + 3_600_000;
      first.fault = () => (Date.now() < upAtMs ? 'lost' : undefined);
    },
  ],
];

describe.each(TROUBLES)('closed at any point, where %s', (_name, trouble) => {
  it.each(points)(
    'a withdrawal settles at the next start if its tab was closed %s',
    async (_point, call, moment) => {
      const world = new World();
      const closed = new WalletProcess({ call, moment });
      void world.run(closed).catch(() => undefined);
      await passTime(closed.closed);
      trouble(world);
      const events = await passTime(world.run(new WalletProcess()), 7_200_000);
      const { chain } = world;
      const [transaction, ...more] = chain.transactions;
      // Exactly one transaction paid, and this transaction is the reported one.
      expect(events.at(-1)).toMatchObject({
        type: 'settled',
        transactionHash: transaction?.hash,
      });
      expect(chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
      expect(more).toEqual([]);
      // The wallet reported no failure.
      expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
      expect(await world.journal()).not.toContain('"calldata":[');
    },
  );
});

describe.each(moments)('closed %s the last poll, or the write of the end', (moment) => {
  it.each([0, 1, 2, 3, 4])(
    'a withdrawal whose tab was closed near its end settles at the next start: %s calls later',
    async (more) => {
      const world = new World();
      const closed = new WalletProcess({ call: CALLS.length + more, moment });
      const run = world.run(closed);
      await passTime(Promise.race([closed.closed, run]));
      const events = await passTime(world.run(new WalletProcess()));
      expect(events.at(-1)).toMatchObject({
        type: 'settled',
        transactionHash: world.chain.transactions[0]?.hash,
      });
      expect(world.chain.transactions).toHaveLength(1);
    },
  );
});
