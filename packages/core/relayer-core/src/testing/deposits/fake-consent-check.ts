import type { DomainError, Felt } from '@sotto/kernel';
import { DepositSignatureUnchecked } from '../../deposit-errors.js';
import type { ConsentCheck, SignedConsent } from '../../deposits/ports/consent-check.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Consent check that accepts only signatures registered by {@link sign}. */
export class FakeConsentCheck implements ConsentCheck {
  readonly #good = new Set<string>();
  #failure: DomainError | null = null;
  readonly #thinks = new Map<Felt, Promise<void>>();
  readonly #late = new Set<Felt>();
  /** Depositors whose accounts were called, in the order of the calls. */
  readonly calls: Felt[] = [];
  /** Checks that are running now, in the order of the calls. */
  running: readonly SignedConsent[] = [];

  /** Registers the depositor's signature over the consent. */
  sign(signed: SignedConsent): void {
    this.#good.add(textOf(signed));
  }

  /** Makes every check reject with this error. Null makes later checks succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  /** Delays every check of this account until the promise `done` settles. */
  thinkUntil(depositor: Felt, done: Promise<void>): void {
    this.#thinks.set(depositor, done);
  }

  /**
   * Makes each check of this account miss its deadline. If `isLate` is false, checks are in time
   * again.
   */
  missDeadlines(depositor: Felt, isLate = true): void {
    if (isLate) this.#late.add(depositor);
    else this.#late.delete(depositor);
  }

  async isGiven(signed: SignedConsent): Promise<boolean> {
    this.calls.push(signed.depositor);
    if (this.#failure !== null) throw this.#failure;
    this.running = [...this.running, signed];
    try {
      await this.#thinks.get(signed.depositor);
    } finally {
      this.running = this.running.filter((other) => other !== signed);
    }
    if (this.#late.has(signed.depositor)) throw new DepositSignatureUnchecked();
    return this.#good.has(textOf(signed));
  }
}

function textOf({ consent, depositor, signature }: SignedConsent): string {
  const { chainId, pool, token, denomination, commitment, expiresAtMs } = consent;
  return [
    chainId,
    pool,
    token,
    denomination,
    commitment,
    expiresAtMs,
    depositor,
    ...signature.toHex(),
  ].join('|');
}
