import type { ChainEvent, EventQuery, NodeReader, NonceQuery } from '../node/node-reader.js';
import type { TestRunner } from './test-runner.js';

export interface NodeReaderHarness {
  readonly subject: NodeReader;
  /** Chain id as 0x hex. */
  readonly chainId: string;
  /** 0x hex address of a shielded pool without deposits. */
  readonly pool: string;
  /** Address of the account that sends the deposits, as 0x hex. */
  readonly account: string;
  /**
   * Deposits the commitments as the next leaves, in one block. Every third leaf deploys a batch.
   */
  deposit(commitments: readonly bigint[]): Promise<void>;
  mine(blocks: number): Promise<void>;
  /** Rolls back this number of the latest blocks, including their transactions. */
  rollback(blocks: number): Promise<void>;
  /** Makes the node unreachable. */
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Contract suite of every {@link NodeReader}.
 * @param capabilities capabilities of chain and reader. If a replaced block may keep its hash after
 *   a rollback, tests that need different hashes are skipped. Tests of the optional method `nonce`
 *   are skipped if `readsNonces` is false
 */
export function describeNodeReaderContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<NodeReaderHarness>,
  {
    renamesBlocks,
    readsNonces = true,
  }: { readonly renamesBlocks: boolean; readonly readsNonces?: boolean } = { renamesBlocks: true },
): void {
  describe(`NodeReader contract (${name})`, () => {
    let harness: NodeReaderHarness;
    let node: NodeReader;
    beforeEach(async () => {
      harness = await start();
      node = harness.subject;
    });
    afterEach(async () => harness.stop());

    const latest = async () => {
      const header = await node.block('latest');
      if (header === undefined) throw new Error('the chain has no block');
      return header;
    };
    const eventsOf = async (query: Partial<EventQuery>): Promise<readonly ChainEvent[]> => {
      const { number: toBlock } = await latest();
      const asked = { contract: harness.pool, names: ['Deposit'], fromBlock: 0, toBlock, ...query };
      const events: ChainEvent[] = [];
      for await (const page of node.events(asked)) events.push(...page);
      return events;
    };

    it('chainId() of a node reader returns the id of the chain', async () => {
      expect(await node.chainId()).toBe(harness.chainId);
    });

    it('a node reader returns each earlier block by its number', async () => {
      const before = await latest();
      await harness.mine(2);
      const after = await latest();
      expect(after.number).toBe(before.number + 2);
      expect(await node.block(before.number)).toEqual(before);
      expect((await node.block(after.number - 1))?.hash).toBe(after.parentHash);
      expect(await node.block(after.number + 1)).toBe(undefined);
    });

    (renamesBlocks ? it : it.skip)(
      'shows another hash where another block has taken the place',
      async () => {
        await harness.mine(2);
        const { number, hash } = await latest();
        await harness.rollback(1);
        expect((await latest()).number).toBe(number - 1);
        await harness.mine(1);
        expect((await node.block(number))?.hash === hash).toBe(false);
      },
    );

    it('returns block times that are not before the times of the deposits in the blocks', async () => {
      const before = await latest();
      await harness.deposit([11n]);
      const [deposit] = await eventsOf({});
      const { timestamp } = await latest();
      expect(timestamp >= before.timestamp).toBe(true);
      expect(BigInt(timestamp) >= (deposit?.data[1] ?? BigInt(timestamp + 1))).toBe(true);
    });

    it('a node reader calls a view in the state of the given block', async () => {
      const call = { contract: harness.pool, entrypoint: 'get_next_index' };
      await harness.deposit([11n, 12n]);
      const { hash: blockHash } = await latest();
      await harness.deposit([13n]);
      expect(await node.call({ ...call, blockHash })).toEqual([2n]);
      expect(await node.call(call)).toEqual([3n]);
    });

    it('a node reader throws BLOCK_UNKNOWN if the chain no longer contains the given block', async () => {
      await harness.mine(1);
      const { hash: blockHash } = await latest();
      await harness.rollback(1);
      const call = { contract: harness.pool, entrypoint: 'get_next_index', blockHash };
      await expect(node.call(call)).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
    });

    it('a node reader throws NODE_REFUSED if the contract does not have the called view', async () => {
      const call = { contract: harness.pool, entrypoint: 'get_nothing' };
      await expect(node.call(call)).rejects.toMatchObject({ code: 'NODE_REFUSED' });
    });

    const nonceOf = async (at: NonceQuery['at'], signal?: AbortSignal): Promise<bigint> => {
      if (node.nonce === undefined) throw new Error('the reader has no method nonce');
      return node.nonce({ account: harness.account, at }, signal);
    };

    (readsNonces ? it : it.skip)(
      'returns the nonce of an account in the state of a block, and in the pre-confirmed state',
      async () => {
        const { hash: before } = await latest();
        await harness.deposit([11n]);
        const { hash: after } = await latest();
        const nonces = [await nonceOf({ blockHash: before }), await nonceOf({ blockHash: after })];
        expect(nonces[0] === nonces[1]).toBe(false);
        expect(await nonceOf({ blockHash: before })).toBe(nonces[0]);
        expect(await nonceOf('pre_confirmed')).toBe(nonces[1]);
      },
    );

    (readsNonces ? it : it.skip)('throws the errors of every method from nonce()', async () => {
      await harness.mine(1);
      const { hash: blockHash } = await latest();
      await harness.rollback(1);
      await expect(nonceOf({ blockHash })).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
      const reason = new Error('the page is closed');
      await expect(nonceOf('pre_confirmed', AbortSignal.abort(reason))).rejects.toBe(reason);
      await harness.breakDown();
      await expect(nonceOf('pre_confirmed')).rejects.toMatchObject({ code: 'NODE_UNREACHABLE' });
    });

    it('returns the events with the given names, oldest first, with keys and data', async () => {
      await harness.deposit([(5n << 128n) + 11n, 12n, 13n]);
      await harness.deposit([14n]);
      const events = await eventsOf({ names: ['Deposit', 'BatchDeployed'] });
      expect(events.map(({ name: event }) => event)).toEqual([
        'Deposit',
        'Deposit',
        'Deposit',
        'BatchDeployed',
        'Deposit',
      ]);
      expect(events[0]?.keys).toEqual([11n, 5n]);
      expect(events.map(({ data }) => data[0])).toEqual([0n, 1n, 2n, 0n, 3n]);
      expect(new Set(events.map(({ blockNumber }) => blockNumber)).size).toBe(2);
      expect(events.every(({ transactionHash }) => /^0x[1-9a-f]/.test(transactionHash))).toBe(true);
    });

    it('a node reader returns only events of the requested range of blocks', async () => {
      await harness.deposit([11n]);
      await harness.deposit([12n]);
      const { number: second } = await latest();
      await harness.deposit([13n]);
      await harness.deposit([14n]);
      const events = await eventsOf({ fromBlock: second, toBlock: second + 1 });
      expect(events.map(({ keys }) => keys[0])).toEqual([12n, 13n]);
    });

    it('a node reader returns events from more than one page', async () => {
      const commitments = Array.from({ length: 20 }, (_, index) => 100n + BigInt(index));
      await harness.deposit(commitments);
      expect((await eventsOf({})).map(({ keys }) => keys[0])).toEqual(commitments);
    });

    it('a node reader returns no events if the contract emitted none', async () => {
      expect(await eventsOf({})).toEqual([]);
    });

    it('a node reader rejects with the signal’s reason if the signal is aborted', async () => {
      const reason = new Error('the page is closed');
      const signal = AbortSignal.abort(reason);
      await expect(node.chainId(signal)).rejects.toBe(reason);
      await expect(node.block('latest', signal)).rejects.toBe(reason);
    });

    it('a node reader throws NODE_UNREACHABLE if the node does not respond', async () => {
      await harness.breakDown();
      const unreachable = { code: 'NODE_UNREACHABLE' };
      await expect(node.chainId()).rejects.toMatchObject(unreachable);
      await expect(node.block('latest')).rejects.toMatchObject(unreachable);
      await expect(
        node.call({ contract: harness.pool, entrypoint: 'get_next_index' }),
      ).rejects.toMatchObject(unreachable);
      const query = { contract: harness.pool, names: ['Deposit'], fromBlock: 0, toBlock: 0 };
      const first = async () => {
        for await (const page of node.events(query)) return page;
        return undefined;
      };
      await expect(first()).rejects.toMatchObject(unreachable);
    });
  });
}
