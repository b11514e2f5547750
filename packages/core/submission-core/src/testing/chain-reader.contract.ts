import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt, type Felt } from '@sotto/kernel';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { BlockRef, ExecutionStatus } from '../domain/rows.js';
import { confirms, contradicts, isOnL1, isValid } from '../domain/chain-evidence.js';
import type { ChainHead, ChainReader } from '../ports/chain.port.js';

export interface ChainReaderHarness {
  readonly subject: ChainReader;
  readonly chainId: Felt;
  /** Two funded accounts, whose transactions are included only when the test calls `accept`. */
  readonly accounts: readonly [Felt, Felt];
  /**
   * Adds a transaction of the account to the node's mempool, under the account's next unused nonce.
   */
  send(account: Felt, execution: ExecutionStatus): Promise<Felt>;
  preConfirm(hash: Felt): Promise<void>;
  /** Includes the transaction in a block at ACCEPTED_ON_L2. */
  accept(hash: Felt): Promise<void>;
  /** Sets the gas prices of the latest block. */
  setGasPrices(prices: GasPrices): Promise<void>;
  /** Undoes the latest block; its transactions are not included again automatically. */
  rollback(): Promise<void>;
  /** Moves every block up to the latest to ACCEPTED_ON_L1. */
  acceptOnL1(): Promise<void>;
  /**
   * Makes the node fail for this hash or account. The node still answers for all other hashes and
   * accounts.
   */
  makeUnreadable(what: Felt): Promise<void>;
  /** Stops the node from answering. */
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NEVER_SENT = toFelt('0x5077');

const blockOf = ({ blockNumber: number, blockHash: hash }: ChainHead): BlockRef => ({
  number,
  hash,
});

export interface ChainReaderContractOptions {
  /**
   * True if the node reports the status of a transaction that is not in a block yet. @default true
   */
  readonly hasMempool?: boolean;
  /**
   * True if a block that replaces an undone block has a different hash, as on a real network.
   * @default true
   */
  readonly renamesBlocks?: boolean;
}

export function describeChainReaderContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<ChainReaderHarness>,
  { hasMempool = true, renamesBlocks = true }: ChainReaderContractOptions = {},
): void {
  describe(`ChainReader contract (${name})`, () => {
    let harness: ChainReaderHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('reads height, prices, nonces and balances of the latest block', async () => {
      const { subject, accounts } = harness;
      const prices = {
        l2GasFri: 9_000_000_001n,
        l1GasFri: 31_000_000_000_007n,
        l1DataGasFri: 2_000_003n,
      };
      await harness.setGasPrices(prices);
      const head = await subject.head(accounts);
      expect(head.gasPrices).toEqual(prices);
      expect(head.blockNumber).toBeGreaterThanOrEqual(0);
      expect([...head.accounts.keys()]).toEqual(accounts);
      for (const account of head.accounts.values()) {
        expect(account.nonce).toBe(0n);
        expect(account.balanceFri).toBeGreaterThan(0n);
      }
    });

    it('T4: reads the head of each node, with the nonces and balances that this node returns', async () => {
      const { subject, accounts } = harness;
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const [first, ...others] = await subject.heads(accounts);
      const { l1BlockNumber: _height, ...head } = await subject.head(accounts);
      expect(others).toEqual([]);
      expect(first).toMatchObject(head);
    });

    it('returns the chain id, the block and the timestamp of the head', async () => {
      const { subject, chainId, accounts } = harness;
      const before = await subject.head([]);
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const after = await subject.head([]);
      expect([before.chainId, after.chainId]).toEqual([chainId, chainId]);
      expect(after.blockHash).not.toBe(before.blockHash);
      expect(after.timestamp).toBeGreaterThanOrEqual(before.timestamp);
      expect(after.timestamp).toBeGreaterThan(1_500_000_000);
    });

    it('returns the hash of every block up to the head, and null above the head', async () => {
      const { subject, accounts } = harness;
      const before = await subject.head([]);
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const after = await subject.head([]);
      expect(await subject.blockHash(before.blockNumber)).toBe(before.blockHash);
      expect(await subject.blockHash(after.blockNumber)).toBe(after.blockHash);
      expect(await subject.blockHash(after.blockNumber + 1)).toBeNull();
      await harness.preConfirm(await harness.send(accounts[0], 'SUCCEEDED'));
      expect(await subject.blockHash(after.blockNumber + 1)).toBeNull();
    });

    it('the evidence confirms the requested blocks and the heads of its first and last read', async () => {
      const { subject, accounts } = harness;
      const before = blockOf(await subject.head([]));
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const first = blockOf(await subject.head([]));
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const last = blockOf(await subject.head([]));
      const evidence = await subject.confirm(first, [before.number, before.number]);
      expect(evidence).toMatchObject({ first, last });
      expect([...evidence.blocks.keys()].toSorted((a, b) => a - b)).toEqual([
        before.number,
        first.number,
      ]);
      expect([isValid(evidence), confirms(evidence, before), confirms(evidence, first)]).toEqual([
        true,
        true,
        true,
      ]);
      expect(confirms(evidence, last)).toBe(false);
    });

    it('the evidence omits requested blocks only if they are above the node’s head', async () => {
      const { subject, accounts } = harness;
      const before = blockOf(await subject.head([]));
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const first = blockOf(await subject.head([]));
      await harness.preConfirm(await harness.send(accounts[0], 'SUCCEEDED'));
      const { blocks } = await subject.confirm(first, [first.number + 1, before.number]);
      expect([...blocks].toSorted(([a], [b]) => a - b)).toEqual([
        [before.number, before.hash],
        [first.number, first.hash],
      ]);
    });

    it('evidence confirms no block if its head was rolled back', async () => {
      const { subject, accounts } = harness;
      const before = blockOf(await subject.head([]));
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const undone = blockOf(await subject.head([]));
      await harness.rollback();
      const evidence = await subject.confirm(undone, [before.number]);
      expect(evidence).toMatchObject({ first: undone, last: before });
      expect([isValid(evidence), confirms(evidence, before)]).toEqual([false, false]);
      const now = await subject.confirm(before, [undone.number]);
      expect([isValid(now), confirms(now, undone), contradicts(now, undone)]).toEqual([
        true,
        false,
        false,
      ]);
    });

    it('reads the L1 height in the same request as the blocks', async () => {
      const { subject, accounts } = harness;
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const first = blockOf(await subject.head([]));
      expect(isOnL1(await subject.confirm(first, []), first)).toBe(false);
      await harness.acceptOnL1();
      expect(isOnL1(await subject.confirm(first, []), first)).toBe(true);
    });

    it('returns the height up to which the chain is accepted on L1', async () => {
      const { subject, accounts } = harness;
      await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
      const { blockNumber } = await subject.head([]);
      expect((await subject.head([])).l1BlockNumber ?? -1).toBeLessThan(blockNumber);
      await harness.acceptOnL1();
      expect((await subject.head([])).l1BlockNumber).toBe(blockNumber);
    });

    it('returns the same status for a transaction after its block is at ACCEPTED_ON_L1', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'SUCCEEDED');
      await harness.accept(hash);
      const before = await subject.transactionStatuses([hash]);
      await harness.acceptOnL1();
      expect(await subject.transactionStatuses([hash])).toEqual(before);
    });

    it('returns no data of blocks that were rolled back', async () => {
      const { subject, accounts } = harness;
      const before = await subject.head(accounts);
      const hash = await harness.send(accounts[0], 'SUCCEEDED');
      await harness.accept(hash);
      const undone = await subject.head(accounts);
      await harness.rollback();
      expect(await subject.head(accounts)).toEqual(before);
      expect(await subject.blockHash(undone.blockNumber)).toBeNull();
      expect((await subject.transactionStatuses([hash])).map(({ kind }) => kind)).not.toContain(
        'accepted',
      );
      expect(await subject.blockHash(before.blockNumber)).toBe(before.blockHash);
    });

    (renamesBlocks ? it : it.skip)(
      'gives another hash for a block that stands in the place of an undone one',
      async () => {
        const { subject, accounts } = harness;
        const before = await subject.head([]);
        await harness.accept(await harness.send(accounts[0], 'SUCCEEDED'));
        const undone = await subject.head([]);
        await harness.rollback();
        await harness.accept(await harness.send(accounts[1], 'SUCCEEDED'));
        const replaced = await subject.blockHash(undone.blockNumber);
        expect(replaced).not.toBeNull();
        expect(replaced).not.toBe(undone.blockHash);
        const evidence = await subject.confirm(blockOf(await subject.head([])), []);
        expect(contradicts(evidence, blockOf(undone))).toBe(true);
        expect(confirms(evidence, blockOf(undone))).toBe(false);
        expect(await subject.blockHash(before.blockNumber)).toBe(before.blockHash);
      },
    );

    it('omits an account that can’t be read, and reads all other accounts', async () => {
      const { subject, accounts } = harness;
      const before = await subject.head(accounts);
      await harness.makeUnreadable(accounts[0]);
      const { accounts: read } = await subject.head(accounts);
      expect([...read]).toEqual([[accounts[1], before.accounts.get(accounts[1])]]);
    });

    it('a transaction status that can’t be read is reported as unread; all other statuses are returned', async () => {
      const { subject, accounts } = harness;
      const [first, second] = [
        await harness.send(accounts[0], 'SUCCEEDED'),
        await harness.send(accounts[1], 'SUCCEEDED'),
      ];
      await harness.accept(first);
      await harness.accept(second);
      await harness.makeUnreadable(first);
      expect((await subject.transactionStatuses([first, second])).map(({ kind }) => kind)).toEqual([
        'unread',
        'accepted',
      ]);
      expect(await subject.transactionStatuses([first])).toEqual([{ kind: 'unread' }]);
      expect((await subject.head(accounts)).accounts.size).toBe(2);
    });

    it('reads the head of the chain even if no account is requested', async () => {
      expect((await harness.subject.head([])).accounts.size).toBe(0);
    });

    it.each(['SUCCEEDED', 'REVERTED'] as const)(
      'an accepted %s transaction changes nonce and balance of its sender only',
      async (execution) => {
        const { subject, accounts } = harness;
        const before = await subject.head(accounts);
        const hash = await harness.send(accounts[0], execution);
        await harness.accept(hash);
        const after = await subject.head(accounts);
        const [reportedStatus] = await subject.transactionStatuses([hash]);
        if (reportedStatus?.kind !== 'accepted') throw new Error('the transaction is not accepted');
        expect(reportedStatus.feeFri).toBeGreaterThan(0n);
        expect(reportedStatus.block).toEqual({ number: after.blockNumber, hash: after.blockHash });
        expect(after.blockNumber).toBeGreaterThan(before.blockNumber);
        expect(after.accounts.get(accounts[0])?.nonce).toBe(1n);
        expect(after.accounts.get(accounts[0])?.balanceFri).toBe(
          (before.accounts.get(accounts[0])?.balanceFri ?? 0n) - reportedStatus.feeFri,
        );
        expect(after.accounts.get(accounts[1])).toEqual(before.accounts.get(accounts[1]));
      },
    );

    it('does not change the account’s nonce while its transaction is only pre-confirmed', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'SUCCEEDED');
      await harness.preConfirm(hash);
      expect(await subject.transactionStatuses([hash])).toEqual([
        { kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null },
      ]);
      expect((await subject.head(accounts)).accounts.get(accounts[0])?.nonce).toBe(0n);
    });

    (hasMempool ? it : it.skip)('reports that a transaction waits', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'SUCCEEDED');
      expect(await subject.transactionStatuses([hash])).toEqual([{ kind: 'waiting' }]);
    });

    it('reports each status of a transaction in flight', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'SUCCEEDED');
      await harness.preConfirm(hash);
      expect(await subject.transactionStatuses([hash])).toMatchObject([{ kind: 'pre_confirmed' }]);
      await harness.accept(hash);
      expect(await subject.transactionStatuses([hash])).toMatchObject([
        { kind: 'accepted', execution: 'SUCCEEDED', revertReason: null },
      ]);
    });

    it('returns the revert reason of a pre-confirmed and of an accepted transaction', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'REVERTED');
      await harness.preConfirm(hash);
      const reason = expect.stringMatching(/.+/);
      expect(await subject.transactionStatuses([hash])).toEqual([
        { kind: 'pre_confirmed', execution: 'REVERTED', revertReason: reason },
      ]);
      await harness.accept(hash);
      expect(await subject.transactionStatuses([hash])).toMatchObject([
        { kind: 'accepted', execution: 'REVERTED', revertReason: reason },
      ]);
    });

    it('returns statuses in the order of the hashes, including unknown and repeated hashes', async () => {
      const { subject, accounts } = harness;
      const accepted = await harness.send(accounts[0], 'SUCCEEDED');
      await harness.accept(accepted);
      const open = await harness.send(accounts[1], 'SUCCEEDED');
      await harness.preConfirm(open);
      const kinds = (await subject.transactionStatuses([open, NEVER_SENT, accepted, open])).map(
        ({ kind }) => kind,
      );
      expect(kinds).toEqual(['pre_confirmed', 'unknown', 'accepted', 'pre_confirmed']);
    });

    it('returns no transaction statuses for an empty list of hashes', async () => {
      expect(await harness.subject.transactionStatuses([])).toEqual([]);
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.head(harness.accounts)).rejects.toBeInstanceOf(DomainError);
      await expect(harness.subject.transactionStatuses([NEVER_SENT])).rejects.toBeInstanceOf(
        DomainError,
      );
      await expect(harness.subject.blockHash(0)).rejects.toBeInstanceOf(DomainError);
      await expect(harness.subject.heads([])).rejects.toBeInstanceOf(DomainError);
      await expect(
        harness.subject.confirm({ number: 0, hash: NEVER_SENT }, []),
      ).rejects.toBeInstanceOf(DomainError);
    });
  });
}
