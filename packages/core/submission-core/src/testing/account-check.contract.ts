import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { AccountCheck, AccountProblem } from '../ports/chain.port.js';

export interface AccountCheckHarness {
  readonly subject: AccountCheck;
  /** Account for which the check finds no problem. */
  readonly sound: Felt;
  /** Accounts with a problem, one for each kind of problem. */
  readonly broken: Readonly<Record<AccountProblem, Felt>>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeAccountCheckContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<AccountCheckHarness>,
): void {
  describe(`AccountCheck contract (${name})`, () => {
    let harness: AccountCheckHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('finds no problem with an account whose key is configured', async () => {
      expect(await harness.subject.problemOf(harness.sound)).toBeNull();
    });

    it.each(['NOT_DEPLOYED', 'NO_ACCOUNT_CLASS', 'WRONG_KEY'] as const)(
      'reports the problem of a broken account: %s',
      async (problem) => {
        expect(await harness.subject.problemOf(harness.broken[problem])).toBe(problem);
      },
    );

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.problemOf(harness.sound)).rejects.toBeInstanceOf(DomainError);
      await expect(harness.subject.problemOf(harness.broken.NOT_DEPLOYED)).rejects.toBeInstanceOf(
        DomainError,
      );
    });
  });
}
