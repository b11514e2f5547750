import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault, toFelt, type Felt } from '@sotto/kernel';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { ExecutionStatus } from '../domain/rows.js';
import type { ChainReader } from '../ports/chain.port.js';

export interface ChainReaderHarness {
  readonly subject: ChainReader;
  /** Two accounts, both with means. Nothing is included but what the harness is told to include. */
  readonly accounts: readonly [Felt, Felt];
  /** Puts a transaction of the account under its next unused nonce into the node's pool. */
  send(account: Felt, execution: ExecutionStatus): Promise<Felt>;
  preConfirm(hash: Felt): Promise<void>;
  /** Includes it, in a block at ACCEPTED_ON_L2. */
  accept(hash: Felt): Promise<void>;
  /** Makes these the prices of the latest block. */
  setGasPrices(prices: GasPrices): Promise<void>;
  /** From now on the node does not answer. */
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NEVER_SENT = toFelt('0x5077');

export interface ChainReaderContractOptions {
  /** Whether a transaction can be seen before it is in a block. @default true */
  readonly hasMempool?: boolean;
}

export function describeChainReaderContract(
  name: string,
  start: () => Promise<ChainReaderHarness>,
  { hasMempool = true }: ChainReaderContractOptions = {},
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
      const prices = { l2GasFri: 9_000_000_001n, l1GasFri: 31_000_000_000_007n, l1DataGasFri: 2_000_003n };
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

    it('reads the head without any account', async () => {
      expect((await harness.subject.head([])).accounts.size).toBe(0);
    });

    it.each(['SUCCEEDED', 'REVERTED'] as const)(
      'moves nonce and balance with an accepted %s transaction, of its sender alone',
      async (execution) => {
        const { subject, accounts } = harness;
        const before = await subject.head(accounts);
        const hash = await harness.send(accounts[0], execution);
        await harness.accept(hash);
        const after = await subject.head(accounts);
        const [sighting] = await subject.sightings([hash]);
        if (sighting?.kind !== 'accepted') throw new Error('the transaction is not accepted');
        expect(sighting.feeFri).toBeGreaterThan(0n);
        expect(sighting.blockNumber).toBe(after.blockNumber);
        expect(after.blockNumber).toBeGreaterThan(before.blockNumber);
        expect(after.accounts.get(accounts[0])?.nonce).toBe(1n);
        expect(after.accounts.get(accounts[0])?.balanceFri).toBe((before.accounts.get(accounts[0])?.balanceFri ?? 0n) - sighting.feeFri);
        expect(after.accounts.get(accounts[1])).toEqual(before.accounts.get(accounts[1]));
      },
    );

    it('keeps the accepted nonce while a transaction is only pre-confirmed', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'SUCCEEDED');
      await harness.preConfirm(hash);
      expect(await subject.sightings([hash])).toEqual([{ kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null }]);
      expect((await subject.head(accounts)).accounts.get(accounts[0])?.nonce).toBe(0n);
    });

    (hasMempool ? it : it.skip)('tells that a transaction waits', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'SUCCEEDED');
      expect(await subject.sightings([hash])).toEqual([{ kind: 'waiting' }]);
    });

    it('tells how a transaction stands on its way', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'SUCCEEDED');
      await harness.preConfirm(hash);
      expect(await subject.sightings([hash])).toMatchObject([{ kind: 'pre_confirmed' }]);
      await harness.accept(hash);
      expect(await subject.sightings([hash])).toMatchObject([{ kind: 'accepted', execution: 'SUCCEEDED', revertReason: null }]);
    });

    it('gives the reason of a revert, pre-confirmed and accepted', async () => {
      const { subject, accounts } = harness;
      const hash = await harness.send(accounts[0], 'REVERTED');
      await harness.preConfirm(hash);
      const reason = expect.stringMatching(/.+/);
      expect(await subject.sightings([hash])).toEqual([{ kind: 'pre_confirmed', execution: 'REVERTED', revertReason: reason }]);
      await harness.accept(hash);
      expect(await subject.sightings([hash])).toMatchObject([{ kind: 'accepted', execution: 'REVERTED', revertReason: reason }]);
    });

    it('answers in the order of the question, unknown hashes and repeated ones included', async () => {
      const { subject, accounts } = harness;
      const accepted = await harness.send(accounts[0], 'SUCCEEDED');
      await harness.accept(accepted);
      const open = await harness.send(accounts[1], 'SUCCEEDED');
      await harness.preConfirm(open);
      const kinds = (await subject.sightings([open, NEVER_SENT, accepted, open])).map(({ kind }) => kind);
      expect(kinds).toEqual(['pre_confirmed', 'unknown', 'accepted', 'pre_confirmed']);
    });

    it('answers nothing to nothing', async () => {
      expect(await harness.subject.sightings([])).toEqual([]);
    });

    it('rejects with a fault when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.head(harness.accounts)).rejects.toBeInstanceOf(Fault);
      await expect(harness.subject.sightings([NEVER_SENT])).rejects.toBeInstanceOf(Fault);
    });
  });
}
