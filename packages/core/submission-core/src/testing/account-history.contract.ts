import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt, type Felt, type Felts } from '@sotto/kernel';
import type { CallTarget, ExecutionStatus } from '../domain/rows.js';
import type { AccountHistory, ChainReader } from '../ports/chain.port.js';

/** Transaction that the harness has sent. */
export interface SentCall {
  readonly hash: Felt;
  readonly nonce: bigint;
  readonly target: CallTarget;
  readonly calldata: Felts;
}

export interface AccountHistoryHarness {
  readonly subject: AccountHistory;
  /** Reader of the same chain, for comparison. */
  readonly reader: ChainReader;
  /** Two accounts that have sent no transactions. */
  readonly accounts: readonly [Felt, Felt];
  /**
   * Sends a call of the account under its next unused nonce, and includes it in a block that
   * contains no other transaction. The calldata differs each time.
   */
  include(account: Felt, execution: ExecutionStatus): Promise<SentCall>;
  /**
   * Sends a transaction without calls and includes it in a block that contains no other
   * transaction.
   */
  includeNoop(account: Felt): Promise<Felt>;
  /** Sends a call that is pre-confirmed, but not in a block at ACCEPTED_ON_L2. */
  preConfirm(account: Felt): Promise<Felt>;
  /** Undoes the latest block; its transactions are not included again automatically. */
  rollback(): Promise<void>;
  /** Advances the chain's time by this many seconds before the next block. */
  passTime(seconds: number): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NEVER_SENT = toFelt('0x5077');

export function describeAccountHistoryContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<AccountHistoryHarness>,
): void {
  describe(`AccountHistory contract (${name})`, () => {
    let harness: AccountHistoryHarness;
    let height: () => Promise<number>;
    beforeEach(async () => {
      harness = await start();
      height = async () => (await harness.reader.head([])).blockNumber;
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('lists the transactions of the accounts with outcome, block and calls, in chain order', async () => {
      const { subject, reader, accounts } = harness;
      const from = (await height()) + 1;
      const sent = [
        await harness.include(accounts[0], 'SUCCEEDED'),
        await harness.include(accounts[1], 'REVERTED'),
        await harness.include(accounts[0], 'SUCCEEDED'),
      ];
      const { sent: found } = await subject.transactions(accounts, from, await height());
      const sightings = await reader.transactionStatuses(sent.map(({ hash }) => hash));
      expect(found.map(({ consumer: { hash, ...consumer } }) => ({ hash, ...consumer }))).toEqual(
        sightings.map((reportedStatus, index) => {
          if (reportedStatus.kind !== 'accepted') throw new Error('a transaction is not accepted');
          const { kind: _kind, ...evidence } = reportedStatus;
          return { hash: sent[index]?.hash, ...evidence };
        }),
      );
      expect(found.map(({ sender, nonce }) => [sender, nonce])).toEqual(
        sent.map(({ nonce }, index) => [index === 1 ? accounts[1] : accounts[0], nonce]),
      );
      for (const [index, { calls }] of found.entries()) {
        expect(calls?.map(({ target }) => target)).toEqual([sent[index]?.target]);
        expect(calls?.map(({ calldata }) => calldata.toHex())).toEqual([
          sent[index]?.calldata.toHex(),
        ]);
      }
    });

    it('the account history omits transactions of other accounts, and transactions in blocks outside the range', async () => {
      const { subject, accounts } = harness;
      await harness.include(accounts[0], 'SUCCEEDED');
      const from = (await height()) + 1;
      const wanted = await harness.include(accounts[0], 'SUCCEEDED');
      await harness.include(accounts[1], 'SUCCEEDED');
      const to = await height();
      await harness.include(accounts[0], 'SUCCEEDED');
      const { sent: found } = await subject.transactions([accounts[0]], from, to);
      expect(found.map(({ consumer }) => consumer.hash)).toEqual([wanted.hash]);
      expect((await subject.transactions([], from, to)).sent).toEqual([]);
      expect(await subject.transactions(accounts, from, from - 1)).toEqual({
        sent: [],
        last: null,
      });
    });

    it('returns a no-op as a transaction without any calls', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.includeNoop(accounts[0]);
      expect(await subject.transaction(hash, accounts)).toMatchObject({
        sender: accounts[0],
        consumer: { hash },
        calls: [],
      });
    });

    it('finds a transaction by its hash, with the same data as in the list of a block range', async () => {
      const { subject, accounts } = harness;
      const { hash } = await harness.include(accounts[0], 'SUCCEEDED');
      const block = await height();
      const {
        sent: [listed],
      } = await subject.transactions(accounts, block, block);
      const found = await subject.transaction(hash, accounts);
      expect({ ...found, calls: [] }).toEqual({ ...listed, calls: [] });
      expect(found?.calls?.map(({ target, calldata }) => [target, calldata.toHex()])).toEqual(
        listed?.calls?.map(({ target, calldata }) => [target, calldata.toHex()]),
      );
      expect(await subject.transaction(hash, [accounts[1]])).toBeNull();
      await expect(subject.transaction(NEVER_SENT, accounts)).rejects.toBeInstanceOf(DomainError);
    });

    it('does not return a transaction that is only pre-confirmed', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.preConfirm(accounts[0]);
      await expect(subject.transaction(hash, accounts)).rejects.toBeInstanceOf(DomainError);
      const head = await height();
      expect(
        (await subject.transactions(accounts, head, head)).sent.map(
          ({ consumer }) => consumer.hash,
        ),
      ).not.toContain(hash);
    });

    it('does not return a transaction whose block was rolled back', async () => {
      const { subject, accounts } = harness;
      const before = await height();
      const { hash } = await harness.include(accounts[0], 'SUCCEEDED');
      await harness.rollback();
      await expect(subject.transaction(hash, accounts)).rejects.toBeInstanceOf(DomainError);
      const kept = await harness.include(accounts[1], 'SUCCEEDED');
      const { sent: found } = await subject.transactions(accounts, before + 1, await height());
      expect(found.map(({ consumer }) => consumer.hash)).toEqual([kept.hash]);
    });

    it('returns the last block of a range with its hash, so that a later read can confirm the block', async () => {
      const { subject, reader, accounts } = harness;
      const from = await height();
      await harness.include(accounts[0], 'SUCCEEDED');
      await harness.include(accounts[1], 'SUCCEEDED');
      const { blockNumber: number, blockHash: hash } = await reader.head([]);
      expect((await subject.transactions(accounts, from, number)).last).toEqual({ number, hash });
      const { last } = await subject.transactions([], from, from);
      const evidence = await reader.confirm({ number, hash }, [from]);
      expect(last).toEqual({ number: from, hash: evidence.blocks.get(from) });
    });

    it('rejects a block range that ends above the head', async () => {
      const head = await height();
      await expect(
        harness.subject.transactions(harness.accounts, head, head + 1),
      ).rejects.toBeInstanceOf(DomainError);
    });

    it('finds the first block that is not older than a timestamp', async () => {
      const { subject, reader, accounts } = harness;
      const heads = [await reader.head([])];
      for (let block = 0; block < 5; block += 1) {
        await harness.passTime(100);
        await harness.include(accounts[0], 'SUCCEEDED');
        heads.push(await reader.head([]));
      }
      for (const [index, { blockNumber, timestamp }] of heads.entries()) {
        const before = heads[index - 1];
        if (before === undefined) continue;
        // When time advances, a node may create an empty block. This empty block is then the first
        // block at or after the timestamp.
        for (const moment of [timestamp, timestamp - 50]) {
          const found = await subject.blockAt(moment);
          expect(found).toBeGreaterThan(before.blockNumber);
          expect(found).toBeLessThanOrEqual(blockNumber);
        }
        expect(await subject.blockAt(before.timestamp + 1)).toBeGreaterThan(before.blockNumber);
        expect(await subject.blockAt(before.timestamp)).toBeLessThanOrEqual(before.blockNumber);
      }
      expect(await subject.blockAt(0)).toBe(0);
      const last = heads.at(-1);
      expect(await subject.blockAt((last?.timestamp ?? 0) + 1)).toBe(last?.blockNumber);
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      const { subject, accounts } = harness;
      await expect(subject.transactions(accounts, 0, 0)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.transaction(NEVER_SENT, accounts)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.blockAt(0)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
