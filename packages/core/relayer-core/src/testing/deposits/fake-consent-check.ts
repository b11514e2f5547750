import type { DomainError } from '@sotto/kernel';
import type { ConsentCheck, SignedConsent } from '../../deposits/ports/consent-check.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Takes every signature that {@link sign} has made, and no other. */
export class FakeConsentCheck implements ConsentCheck {
  readonly #good = new Set<string>();
  #failure: DomainError | null = null;
  #thinks: Promise<void> = Promise.resolve();
  /** How often it was asked. */
  asked = 0;

  /** From now on this is the depositor's signature over the consent. */
  sign(signed: SignedConsent): void {
    this.#good.add(textOf(signed));
  }

  /** Every check rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  /** No check ends before this does. */
  thinkUntil(done: Promise<void>): void {
    this.#thinks = done;
  }

  async isGiven(signed: SignedConsent): Promise<boolean> {
    this.asked += 1;
    if (this.#failure !== null) throw this.#failure;
    await this.#thinks;
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
