import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, Felts, type Felt } from '@sotto/kernel';
import type { ConsentCheck, SignedConsent } from '../../deposits/ports/consent-check.port.js';

export interface ConsentCheckHarness {
  readonly subject: ConsentCheck;
  /** Consent that the depositor's key has signed. */
  readonly signed: SignedConsent;
  /** Address where no contract is deployed, or a contract that is not an account. */
  readonly noAccount: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeConsentCheckContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<ConsentCheckHarness>,
): void {
  describe(`ConsentCheck contract (${name})`, () => {
    let harness: ConsentCheckHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('accepts a signature only for the signed consent and the signing account', async () => {
      const { subject, signed, noAccount } = harness;
      const { consent } = signed;
      expect(await subject.isGiven(signed)).toBe(true);
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
      expect(await Promise.all(others.map((other) => subject.isGiven(other)))).toEqual(
        others.map(() => false),
      );
    });

    it('a check of a deposit consent rejects with an error if the node does not respond', async () => {
      const { subject, signed } = harness;
      await harness.breakDown();
      await expect(subject.isGiven(signed)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
