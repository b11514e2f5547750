import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import {
  MerkleTree,
  ShieldedPool,
  memoryStorage,
  type NodeReader,
  type ShieldedPoolOptions,
  type WalletStorage,
} from '../../src/advanced.js';
import { FakeNode, FakePoolContract, FakeSwapPoolContract } from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';

const CHAIN = '0x534e5f5345504f4c4941';
const ADDRESS = '0xabc';

const rangesOf = (questions: readonly string[]) =>
  questions.filter((question) => question.startsWith('events'));

describe('ShieldedPool', () => {
  let node: FakeNode;
  let chain: FakePoolContract;
  beforeEach(() => {
    node = new FakeNode(CHAIN);
    chain = new FakePoolContract(node, ADDRESS);
  });
  const open = (options: Partial<ShieldedPoolOptions> = {}) =>
    ShieldedPool.open({ node, address: ADDRESS, ...options });
  const deposit = (...commitments: bigint[]) =>
    node.mine(commitments.map((commitment) => chain.deposit(commitment)));
  /**
   * At the first request of this kind, rolls back the deposit of commitment 11, and deposits
   * commitment 13 instead.
   */
  const undoneBefore = (kind: string): void => {
    deposit(11n);
    let isUndone = false;
    node.beforeAnswer = (question) => {
      if (!question.startsWith(kind) || isUndone) return;
      isUndone = true;
      node.rollback(1);
      chain.forget(1);
      deposit(13n);
    };
  };

  it('returns no time of a deposit whose event contains no valid time', async () => {
    const { contract, name, keys } = chain.deposit(11n);
    node.mine([
      { contract, name, keys, data: [0n] },
      { ...chain.deposit(12n), data: [1n, 1n << 64n] },
    ]);
    const pool = await open();
    expect([pool.placeOf(11n), pool.placeOf(12n)]).toMatchObject([
      { leafIndex: 0, depositedAtMs: undefined },
      { leafIndex: 1, depositedAtMs: undefined },
    ]);
  });

  it('ShieldedPool derives leaves, batches, waiting deposits and spent notes from the pool’s events', async () => {
    deposit(11n, 12n, 13n);
    node.mine([chain.deployBatch(3), chain.deposit((5n << 128n) + 14n)]);
    node.mine([chain.withdraw((6n << 128n) + 99n)]);
    const pool = await open({ token: '0x0FEE' });
    expect(pool).toMatchObject({
      chainId: CHAIN,
      address: ADDRESS,
      kind: 'shielded',
      leaves: [11n, 12n, 13n, (5n << 128n) + 14n],
      batches: [{ start: 0, size: 3 }],
      waiting: 1,
      denomination: 20_000n,
      block: { number: 3 },
      blockTimeMs: 1_700_000_030_000,
    });
    expect(pool.placeOf(12n)).toEqual({
      leafIndex: 1,
      batch: { start: 0, size: 3 },
      depositedAtMs: 1_700_000_000_000,
      transactionHash: expect.stringMatching(/^0x/),
    });
    expect(pool.placeOf((5n << 128n) + 14n)).toMatchObject({ leafIndex: 3, batch: undefined });
    expect(pool.placeOf(15n)).toBeUndefined();
    expect(pool.path(3)).toEqual(MerkleTree.of(pool.leaves).path(3));
    expect(pool.valueOf(0)).toEqual({ token: '0xfee', amount: 20_000n });
    expect(pool.valueOf(4)).toBeUndefined();
    expect(pool.spentBy((6n << 128n) + 99n)).toMatch(/^0xb10c/);
    expect(pool.recipientOf((6n << 128n) + 99n)).toBe(0xa11cen);
    expect([pool.spentBy(99n), pool.recipientOf(99n)]).toEqual([undefined, undefined]);
  });

  it('ShieldedPool can be created for a pool contract without deposits', async () => {
    const pool = await open();
    expect([pool.leaves, pool.batches, pool.waiting]).toEqual([[], [], 0]);
  });

  it('ShieldedPool treats each leaf of a swap pool as a separate batch', async () => {
    const swaps = new FakeSwapPoolContract(node, '0xdef');
    node.mine([swaps.swap(21n, 0xe7n, (2n << 128n) + 1n), swaps.swap(22n, 0x5n, 7n)]);
    node.mine([swaps.withdraw(98n, 0xe7n, 5n)]);
    const pool = await open({ address: '0xdef', kind: 'swap' });
    expect(pool).toMatchObject({ kind: 'swap', leaves: [21n, 22n], waiting: 0 });
    expect(pool.placeOf(22n)).toEqual({
      leafIndex: 1,
      batch: { start: 1, size: 1 },
      depositedAtMs: 1_700_000_000_000,
      transactionHash: expect.stringMatching(/^0x/),
    });
    expect([pool.valueOf(0), pool.valueOf(1)]).toEqual([
      { token: '0xe7', amount: (2n << 128n) + 1n },
      { token: '0x5', amount: 7n },
    ]);
    expect(pool.denomination).toBeUndefined();
    expect(pool.spentBy(98n)).toMatch(/^0x/);
  });

  it('ShieldedPool rejects a node of another chain', async () => {
    expect(await codeOf(() => open({ chainId: '0x534e5f4d41494e' }))).toBe('CHAIN_MISMATCH');
    expect((await open({ chainId: BigInt(CHAIN) })).chainId).toBe(CHAIN);
  });

  it('ShieldedPool queries no events if there is no new block', async () => {
    deposit(11n);
    const pool = await open();
    deposit(12n);
    node.questions.length = 0;
    await pool.refresh();
    expect(pool.leaves).toEqual([11n, 12n]);
    expect(rangesOf(node.questions)).toEqual(['events 2 2 Deposit BatchDeployed Withdrawal']);
    node.questions.length = 0;
    await pool.refresh();
    expect(node.questions).toEqual(['block latest']);
  });

  it('reads events from the block in which the pool was deployed', async () => {
    node.mine();
    deposit(11n);
    await open({ fromBlock: 2 });
    expect(rangesOf(node.questions)).toEqual(['events 2 2 Deposit BatchDeployed Withdrawal']);
  });

  it.each([
    ['a deposit in the middle', 'Deposit', 12n],
    ['the newest deposit', 'Deposit', 14n],
    ['a batch', 'BatchDeployed', 0n],
    ['a withdrawal', 'Withdrawal', 99n],
  ])(
    'ShieldedPool rejects events of a pool from which the node omitted %s',
    async (_, name, key) => {
      deposit(11n, 12n, 13n);
      node.mine([chain.deployBatch(3)]);
      node.mine([chain.deposit(14n), chain.withdraw(99n)]);
      node.isMissing = (event) => event.name === name && event.keys[0] === key;
      expect(await codeOf(() => open())).toBe('EVENTS_INCOMPLETE');
      node.isMissing = () => false;
      expect((await open()).leaves).toHaveLength(4);
    },
  );

  it('ShieldedPool rejects leaves whose root differs from the root in the pool’s contract', async () => {
    deposit(11n, 12n);
    node.deploy(ADDRESS, {
      get_next_index: () => [2n],
      get_last_root: () => [5n, 0n],
      active_deposits: () => [0n],
      undeployed_count: () => [2n],
      denomination: () => [1n, 0n],
    });
    await expect(open()).rejects.toMatchObject({
      code: 'EVENTS_INCOMPLETE',
      message: 'the leaves lead to another root than the pool’s',
    });
  });

  it('a failed read does not change the state of a ShieldedPool, and a later read succeeds', async () => {
    deposit(11n);
    const pool = await open();
    deposit(12n);
    node.breakDown();
    expect(await codeOf(() => pool.refresh())).toBe('NODE_UNREACHABLE');
    node.breakDown(false);
    node.isMissing = (event) => event.keys[0] === 12n;
    expect(await codeOf(() => pool.refresh())).toBe('EVENTS_INCOMPLETE');
    expect([pool.leaves, pool.path(0).root]).toEqual([[11n], MerkleTree.of([11n]).root]);
    node.isMissing = () => false;
    await pool.refresh();
    expect(pool.leaves).toEqual([11n, 12n]);
  });

  describe('a reorg', () => {
    it('ShieldedPool reads all events again that are newer than the last block before a reorg', async () => {
      deposit(11n);
      const pool = await open();
      deposit(12n);
      await pool.refresh();
      node.rollback(1);
      chain.forget(1);
      node.mine();
      deposit(13n);
      node.questions.length = 0;
      await pool.refresh();
      expect(pool.leaves).toEqual([11n, 13n]);
      expect(rangesOf(node.questions).at(-1)).toBe('events 2 3 Deposit BatchDeployed Withdrawal');
    });

    it('ShieldedPool drops the events of undone blocks if the chain has become shorter', async () => {
      deposit(11n);
      const pool = await open();
      node.mine([chain.deposit(12n), chain.deployBatch(2), chain.withdraw(99n)]);
      await pool.refresh();
      expect(pool.spentBy(99n)).toBeDefined();
      node.rollback(1);
      await pool.refresh();
      expect([pool.leaves, pool.batches, pool.spentBy(99n)]).toEqual([[11n], [], undefined]);
    });

    it('ShieldedPool reads all events again if a reorg has removed every known block', async () => {
      deposit(11n);
      const pool = await open();
      node.rollback(2);
      chain.forget(1);
      node.mine();
      deposit(13n);
      await pool.refresh();
      expect(pool.leaves).toEqual([13n]);
    });

    it('ShieldedPool restarts a read if a reorg happens while the events are read', async () => {
      undoneBefore('events');
      expect((await open()).leaves).toEqual([13n]);
    });

    it('ShieldedPool restarts a read if a reorg happens after the events are read and before the views are called', async () => {
      undoneBefore('call');
      expect((await open()).leaves).toEqual([13n]);
    });

    it('ShieldedPool restarts a read after a reorg even if the node can still call views at the undone block', async () => {
      undoneBefore('events');
      const forgetful: NodeReader = {
        chainId: () => node.chainId(),
        block: (at) => node.block(at),
        events: (query) => node.events(query),
        call: ({ contract, entrypoint }) => node.call({ contract, entrypoint }),
      };
      const pool = await open({ node: forgetful });
      expect(pool.leaves).toEqual([13n]);
      expect(pool.block?.hash).toBe((await node.block('latest'))?.hash);
    });

    it('ShieldedPool throws an error if a reorg happens during each attempt to read the pool', async () => {
      node.beforeAnswer = (question) => {
        if (!question.startsWith('events')) return;
        node.rollback(1);
        node.mine();
      };
      expect(await codeOf(() => open())).toBe('NODE_UNREACHABLE');
    });
  });

  describe('two refreshes at once', () => {
    it('two concurrent refreshes of a pool share one read', async () => {
      const pool = await open();
      deposit(11n);
      node.questions.length = 0;
      await Promise.all([pool.refresh(), pool.refresh()]);
      expect(pool.leaves).toEqual([11n]);
      expect(rangesOf(node.questions)).toHaveLength(1);
    });

    it('two concurrent refreshes fail together, and the next refresh reads again', async () => {
      const pool = await open();
      node.breakDown();
      const outcomes = await Promise.allSettled([pool.refresh(), pool.refresh()]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      node.breakDown(false);
      await pool.refresh();
    });

    it('a refresh of a pool continues if a concurrent refresh is aborted', async () => {
      const pool = await open();
      deposit(11n);
      const [controller, reason] = [new AbortController(), new Error('closed')];
      const [aborted, other] = [pool.refresh(controller.signal), pool.refresh()];
      controller.abort(reason);
      await expect(aborted).rejects.toBe(reason);
      await other;
      expect(pool.leaves).toEqual([11n]);
    });

    it('the read that two concurrent refreshes share ends if both refreshes are aborted', async () => {
      const pool = await open();
      deposit(11n);
      node.questions.length = 0;
      const controllers = [new AbortController(), new AbortController()];
      const refreshes = controllers.map(({ signal }) => pool.refresh(signal));
      for (const controller of controllers) controller.abort();
      await Promise.allSettled(refreshes);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(rangesOf(node.questions)).toEqual([]);
      await pool.refresh();
      expect(pool.leaves).toEqual([11n]);
    });
  });

  describe('a cache', () => {
    let cache: WalletStorage;
    beforeEach(() => {
      cache = memoryStorage();
    });

    it('a ShieldedPool with a cache reads only new events after the page is reloaded', async () => {
      node.mine([chain.deposit((7n << 128n) + 11n), chain.deposit(12n), chain.deployBatch(2)]);
      node.mine([chain.withdraw(99n)]);
      const before = await open({ cache });
      deposit(13n);
      node.questions.length = 0;
      const after = await open({ cache });
      expect(rangesOf(node.questions)).toEqual(['events 3 3 Deposit BatchDeployed Withdrawal']);
      expect(after.leaves).toEqual([...before.leaves, 13n]);
      expect(after.batches).toEqual(before.batches);
      expect(after.spentBy(99n)).toBe(before.spentBy(99n));
    });

    it('the cache of ShieldedPool has separate entries per pool and chain', async () => {
      deposit(11n);
      await open({ cache });
      const other = new FakeNode('0x1');
      other.mine([new FakePoolContract(other, ADDRESS).deposit(12n)]);
      expect((await open({ node: other, cache })).leaves).toEqual([12n]);
      expect(await cache.keys('')).toEqual([
        'sotto/pool/0x1/0xabc/shielded',
        `sotto/pool/${CHAIN}/0xabc/shielded`,
      ]);
    });

    it.each([
      ['invalid JSON', '{'],
      ['an incomplete record', '{"format":1}'],
      ['another format', '{"format":2,"checkpoints":[],"events":[]}'],
      ['null', 'null'],
    ])('ShieldedPool ignores a cached entry that contains %s', async (_, text) => {
      await cache.replace(`sotto/pool/${CHAIN}/0xabc/shielded`, undefined, text);
      deposit(11n);
      expect((await open({ cache })).leaves).toEqual([11n]);
      node.questions.length = 0;
      expect((await open({ cache })).leaves).toEqual([11n]);
      expect(rangesOf(node.questions)).toEqual([]);
    });

    it('ShieldedPool ignores cached events whose leaves differ from the leaves on chain', async () => {
      deposit(11n, 12n);
      await open({ cache });
      const key = `sotto/pool/${CHAIN}/0xabc/shielded`;
      const text = await cache.read(key);
      await cache.replace(key, text, text?.replace('"0xc"', '"0xd"'));
      expect(await cache.read(key)).not.toBe(text);
      expect((await open({ cache })).leaves).toEqual([11n, 12n]);
    });

    it('ShieldedPool ignores errors when it reads or writes its cache', async () => {
      const broken: WalletStorage = {
        read: async () => Promise.reject(new Error('no')),
        replace: async () => Promise.reject(new Error('no')),
        keys: async () => Promise.reject(new Error('no')),
      };
      deposit(11n);
      expect((await open({ cache: broken })).leaves).toEqual([11n]);
    });

    it('several tabs share the cache of a pool', async () => {
      const tabs = await Promise.all([open({ cache }), open({ cache })]);
      for (const leaf of [11n, 12n, 13n]) {
        deposit(leaf);
        await Promise.all(tabs.map((tab) => tab.refresh()));
      }
      node.questions.length = 0;
      expect((await open({ cache })).leaves).toEqual([11n, 12n, 13n]);
      expect(rangesOf(node.questions)).toEqual([]);
    });
  });

  it('a refreshed pool equals a newly opened pool after any sequence of events', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constant('deposit') },
      { weight: 2, arbitrary: fc.constant('batch') },
      { weight: 2, arbitrary: fc.constant('withdraw') },
      { weight: 3, arbitrary: fc.constant('refresh') },
      { weight: 1, arbitrary: fc.constant('reopen') },
      { weight: 2, arbitrary: fc.constant('rollback') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const [ledger, cache] = [new FakeNode(CHAIN), memoryStorage()];
        const fake = new FakePoolContract(ledger, ADDRESS);
        const options = { node: ledger, address: ADDRESS, cache };
        let pool = await ShieldedPool.open(options);
        let next = 1n;
        let [leaves, deployed, spent] = [0, 0, 0];
        for (const what of steps) {
          next += 1n;
          if (what === 'deposit') {
            ledger.mine([fake.deposit(next)]);
            leaves += 1;
          } else if (what === 'batch' && leaves > deployed) {
            ledger.mine([fake.deployBatch(leaves - deployed)]);
            deployed = leaves;
          } else if (what === 'withdraw' && deployed > spent) {
            ledger.mine([fake.withdraw(next)]);
            spent += 1;
          } else if (what === 'rollback' && leaves > deployed) {
            // The rollback undoes only the block that is mined here. This block contains only a
            // deposit.
            ledger.mine([fake.deposit(next)]);
            if (next % 2n === 0n) await pool.refresh();
            ledger.rollback(1);
            fake.forget(1);
            if (next % 3n === 0n) ledger.mine();
          } else if (what === 'refresh') await pool.refresh();
          else if (what === 'reopen') pool = await ShieldedPool.open(options);
        }
        await pool.refresh();
        const fresh = await ShieldedPool.open({ node: ledger, address: ADDRESS });
        expect([pool.leaves, pool.batches, pool.waiting, pool.block]).toEqual([
          fresh.leaves,
          fresh.batches,
          fresh.waiting,
          fresh.block,
        ]);
        expect(fresh.leaves).toHaveLength(leaves);
      }),
      { numRuns: 60 },
    );
  });
});
