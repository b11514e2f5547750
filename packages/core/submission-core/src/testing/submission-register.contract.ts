import { toFelt } from '@sotto/kernel';
import type { TestRunner } from '@sotto/kernel/testing';
import type {
  RegisterCursor,
  RegisteredSubmission,
  SubmissionFilter,
  SubmissionRegister,
} from '../ports/submission-register.port.js';
import { aSignedTransaction, LedgerDriver, took } from './ledger-driver.js';
import { LedgerStage, type LedgerContractOptions, type LedgerHarness } from './ledger-harness.js';

export interface SubmissionRegisterHarness extends LedgerHarness {
  /** Submission register that reads the rows of `ledger`. */
  readonly register: SubmissionRegister;
}

const namesOf = (found: readonly RegisteredSubmission[]): readonly string[] =>
  found.map(({ attempt }) => attempt.id);

/** Tests that apply to every `SubmissionRegister`. */
export function describeSubmissionRegisterContract(
  runner: TestRunner,
  name: string,
  start: (options: LedgerContractOptions) => Promise<SubmissionRegisterHarness>,
): void {
  const { describe, expect, it } = runner;
  describe(`SubmissionRegister contract (${name})`, () => {
    let started: SubmissionRegisterHarness | null = null;
    const stage = LedgerStage.forEachTest(runner, async (options) => {
      started = await start(options);
      return started;
    });
    const register = (): SubmissionRegister => {
      if (started === null) throw new Error('the register is there only while a test runs');
      return started.register;
    };
    const listed = async (filter: SubmissionFilter): Promise<readonly string[]> =>
      namesOf((await register().page(filter, null, 50)).submissions);

    it('returns no submissions for an empty ledger', async () => {
      expect(await register().page({}, null, 10)).toEqual({ submissions: [], next: null });
      expect(await register().ofKeys([])).toEqual([]);
      expect(await register().ofKeys(['unknown'])).toEqual([]);
      expect(await register().ofTransaction(toFelt('0x1'))).toEqual([]);
      expect(await register().ofId('unknown')).toBeNull();
    });

    it('lists the newest submission first, each with all of its signed transactions', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      stage.pass(5);
      await stage.driver.accepted('b');
      const { submissions, next } = await register().page({}, null, 10);
      expect(namesOf(submissions)).toEqual(['id-of-b', 'id-of-a']);
      expect(next).toBeNull();
      expect(submissions[1]).toEqual({
        attempt: await stage.ledger.attemptById('id-of-a'),
        transactions: [(await stage.ledger.transactionsOf({ key: 'chain|pool|a', attempt: 1 }))[0]],
      });
      expect(submissions[1]?.transactions[0]?.hash).toBe(transaction.hash);
      expect(submissions[0]?.transactions).toEqual([]);
    });

    it('later submissions do not change the earlier pages of the list', async () => {
      for (const one of ['a', 'b', 'c', 'd', 'e']) await stage.driver.accepted(one);
      const pages: string[][] = [];
      let after: RegisterCursor | null = null;
      do {
        const page = await register().page({}, after, 2);
        pages.push([...namesOf(page.submissions)]);
        after = page.next;
        await stage.driver.accepted(`later-${pages.length}`);
        stage.pass(1);
      } while (after !== null);
      expect(pages).toEqual([['id-of-e', 'id-of-d'], ['id-of-c', 'id-of-b'], ['id-of-a']]);
    });

    it('returns no next page when the list contains exactly one full page', async () => {
      await stage.driver.accepted('a');
      await stage.driver.accepted('b');
      expect((await register().page({}, null, 2)).next).toBeNull();
      expect((await register().page({}, null, 1)).next).not.toBeNull();
    });

    it('the list of submissions can be restricted by each filter alone and by all filters together', async () => {
      const other = toFelt('0x77');
      const first = stage.nowMs;
      const a = await stage.driver.broadcast('a', 0n, { kind: 'withdraw', subject: other });
      stage.pass(10);
      await stage.driver.accepted('b', { kind: 'deposit', subject: other });
      stage.pass(10);
      await stage.driver.accepted('c', { kind: 'withdraw' });
      await stage.driver.succeed(a);
      expect(await listed({ state: 'accepted' })).toEqual(['id-of-c', 'id-of-b']);
      expect(await listed({ state: 'succeeded' })).toEqual(['id-of-a']);
      expect(await listed({ kind: 'withdraw' })).toEqual(['id-of-c', 'id-of-a']);
      expect(await listed({ subject: other })).toEqual(['id-of-b', 'id-of-a']);
      expect(await listed({ lane: LedgerDriver.lane })).toEqual(['id-of-a']);
      expect(await listed({ lane: other })).toEqual([]);
      expect(await listed({ acceptedSinceMs: first + 10 })).toEqual(['id-of-c', 'id-of-b']);
      expect(await listed({ acceptedBeforeMs: first + 10 })).toEqual(['id-of-a']);
      expect(
        await listed({
          state: 'accepted',
          kind: 'deposit',
          subject: other,
          acceptedSinceMs: first,
          acceptedBeforeMs: first + 11,
        }),
      ).toEqual(['id-of-b']);
    });

    it('continues a filtered list of submissions after a cursor', async () => {
      for (const one of ['a', 'b', 'c'])
        await stage.driver.accepted(one, { kind: one === 'b' ? 'deposit' : 'withdraw' });
      const first = await register().page({ kind: 'withdraw' }, null, 1);
      expect(namesOf(first.submissions)).toEqual(['id-of-c']);
      const second = await register().page({ kind: 'withdraw' }, first.next, 1);
      expect([namesOf(second.submissions), second.next]).toEqual([['id-of-a'], null]);
    });

    it('a submission can be found by any of its signed transactions, or by an adopted transaction', async () => {
      const { transaction } = await stage.driver.broadcast('a', 5n);
      await stage.driver.broadcast('b', 6n);
      expect(namesOf(await register().ofTransaction(transaction.hash))).toEqual(['id-of-a']);
      await stage.driver.succeed({ ...(await stage.driver.broadcast('c', 7n)) });
      await stage.driver.import(8n, 12n);
      const adopted = toFelt('0x10577');
      await stage.driver.adopt(10n, 'lost', took(adopted));
      expect(namesOf(await register().ofTransaction(adopted))).toEqual(['id-of-lost']);
    });

    it('finds every attempt of a key, newest first, and a single attempt by its id', async () => {
      const first = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(
        0n,
        took(first.transaction.hash, { execution: 'REVERTED', revertReason: 'no' }),
      );
      await stage.driver.finalize(0n);
      const again = await stage.driver.accepted('a', { id: 'again' });
      const transaction = aSignedTransaction('a again');
      await stage.driver.store(again, 1n, transaction);
      await stage.driver.accepted('b');
      const found = await register().ofKeys(['chain|pool|a', 'unknown']);
      expect(namesOf(found)).toEqual(['again', 'id-of-a']);
      expect(found.map(({ transactions }) => transactions.map(({ hash }) => hash))).toEqual([
        [transaction.hash],
        [first.transaction.hash],
      ]);
      expect(await register().ofId('again')).toEqual(found[0]);
    });
  });
}
