import type { TestRunner } from '@sotto/kernel/testing';
import { afterWrite } from '../domain/open-nonces.js';
import type { OpenNonce } from '../domain/rows.js';
import type { CommandResult } from '../ports/ledger.port.js';
import { LedgerDriver, aSignedTransaction, took } from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';

/** Tests that the rows that a command reports as written equal the stored rows. */
export function describeWrittenRowsContract(runner: TestRunner, start: StartLedger): void {
  const { beforeEach, describe, expect, it } = runner;
  describe('written rows', () => {
    const stage = LedgerStage.forEachTest(runner, start);
    const { lane } = LedgerDriver;
    let remembered: readonly OpenNonce[] | null;
    beforeEach(() => {
      remembered = [];
    });

    /** Compares the lane's rows in memory after the command with the rows in the store. */
    async function after(command: Promise<CommandResult>): Promise<'known' | 'unknown'> {
      const result = await command;
      if (!result.applied) throw new Error(`the command was rejected: ${result.because}`);
      const known = remembered === null ? null : afterWrite(remembered, lane, result.written);
      const read = await stage.ledger.openNonces(lane);
      remembered = read;
      if (known === null) return 'unknown';
      expect(known).toEqual(read);
      return 'known';
    }

    it('the open nonces of a lane can be computed from the rows written by each command except a reopen', async () => {
      const { driver } = stage;
      const first = await driver.accepted('a');
      const second = await driver.accepted('b');
      const [a, b, higher, noop] = [
        aSignedTransaction('a'),
        aSignedTransaction('b'),
        aSignedTransaction('a again', 30_000_000_000n),
        aSignedTransaction('noop', 40_000_000_000n),
      ];
      await driver.introduce(0n);
      const known = [
        await after(driver.store(first, 0n, a)),
        await after(driver.store(second, 1n, b)),
        await after(driver.claim(1n, b.hash)),
        await after(driver.observe(0n, a.hash, { execution: 'SUCCEEDED', revertReason: null })),
        await after(driver.store(first, 0n, higher)),
        await after(driver.store(null, 0n, noop)),
        await after(driver.settle(0n, took(higher.hash))),
      ];
      expect(known).toEqual(known.map(() => 'known'));
      expect(await after(driver.reopen(0n))).toBe('unknown');
      expect(await after(driver.settle(0n, took(noop.hash)))).toBe('known');
      expect(await after(driver.import(2n))).toBe('known');
    });

    it('the free nonce after a refusal can be computed from the rows that the refusal writes', async () => {
      const { driver } = stage;
      const { transaction } = await driver.broadcast('a', 0n);
      remembered = await stage.ledger.openNonces(lane);
      expect(await after(driver.refuse(0n, transaction.hash))).toBe('known');
      expect(remembered).toMatchObject([{ owner: null, transactions: [{ gone: 'refused' }] }]);
    });
  });
}
