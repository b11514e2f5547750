import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, Felts, type Felt } from '@sotto/kernel';
import type { ConsentCheck, SignedConsent } from '../../deposits/ports/consent-check.port.js';
import type {
  DepositFacts,
  DepositQuestion,
  DepositReader,
} from '../../deposits/ports/deposit-reader.port.js';
import type { PoolDeposit, PoolDeposits } from '../../pools/ports/pool-deposits.port.js';

export interface DepositsHarness {
  readonly reader: DepositReader;
  /**
   * Of a depositor that is deployed and has approved the pool, and a commitment that the pool does
   * not have.
   */
  readonly question: DepositQuestion;
  readonly facts: DepositFacts;
  readonly knownCommitment: bigint;
  /** An address without any contract. */
  readonly nowhere: Felt;

  readonly consents: ConsentCheck;
  /** Signed by the depositor's own key. */
  readonly signed: SignedConsent;
  /** A contract that is no account, or none at all. */
  readonly noAccount: Felt;

  readonly deposits: PoolDeposits;
  /** A deposit that succeeded and completed no batch, and one that did. */
  readonly landed: readonly { readonly transactionHash: Felt; readonly deposit: PoolDeposit }[];
  /** A transaction whose receipt has no deposit. */
  readonly without: Felt;
  /** A hash that no transaction has. */
  readonly unknown: Felt;

  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Of the three ports that deposits are relayed by. */
export function describeDepositsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<DepositsHarness>,
): void {
  describe(`DepositReader, ConsentCheck and PoolDeposits contract (${name})`, () => {
    let harness: DepositsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('reads what a deposit depends on', async () => {
      const { reader, question, facts, knownCommitment, nowhere } = harness;
      expect(await reader.depositFacts(question)).toEqual(facts);
      expect(await reader.depositFacts({ ...question, commitment: knownCommitment })).toEqual({
        ...facts,
        commitmentKnown: true,
      });
      expect(await reader.depositFacts({ ...question, depositor: nowhere })).toEqual({
        ...facts,
        depositorClass: null,
        balance: 0n,
        allowance: 0n,
      });
      await expect(reader.depositFacts({ ...question, pool: nowhere })).rejects.toBeInstanceOf(
        DomainError,
      );
    });

    it('takes a signature for the consent that it is over, from the account that made it, and for nothing else', async () => {
      const { consents, signed, noAccount } = harness;
      const { consent } = signed;
      expect(await consents.isGiven(signed)).toBe(true);
      const others: readonly SignedConsent[] = [
        { ...signed, consent: { ...consent, commitment: consent.commitment + 1n } },
        { ...signed, consent: { ...consent, denomination: consent.denomination + 1n } },
        { ...signed, consent: { ...consent, expiresAtMs: consent.expiresAtMs + 1_000 } },
        { ...signed, consent: { ...consent, pool: consent.token } },
        { ...signed, consent: { ...consent, token: consent.pool } },
        { ...signed, consent: { ...consent, chainId: consent.token } },
        { ...signed, signature: Felts.of([1n, 2n]) },
        { ...signed, signature: Felts.of([1n]) },
        { ...signed, depositor: noAccount },
      ];
      expect(await Promise.all(others.map((other) => consents.isGiven(other)))).toEqual(
        others.map(() => false),
      );
    });

    it('reads what a deposit left in the pool, and the batch that it completed', async () => {
      const { deposits, landed, question, without, unknown } = harness;
      for (const { transactionHash, deposit } of landed) {
        expect(await deposits.depositOf(question.pool, transactionHash)).toEqual(deposit);
        expect(await deposits.depositOf(question.token, transactionHash)).toBeNull();
      }
      expect(await deposits.depositOf(question.pool, without)).toBeNull();
      expect(await deposits.depositOf(question.pool, unknown)).toBeNull();
    });

    it('rejects with an error when the node does not answer', async () => {
      const { reader, question, consents, signed, deposits, without } = harness;
      await harness.breakDown();
      await expect(reader.depositFacts(question)).rejects.toBeInstanceOf(DomainError);
      await expect(consents.isGiven(signed)).rejects.toBeInstanceOf(DomainError);
      await expect(deposits.depositOf(question.pool, without)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
