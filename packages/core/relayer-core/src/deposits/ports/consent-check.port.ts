import type { Felt, Felts } from '@sotto/kernel';
import type { DepositConsent } from '../domain/deposit-consent.js';

export interface SignedConsent {
  readonly consent: DepositConsent;
  readonly depositor: Felt;
  /** The class of the depositor's account: classes before SRC-6 answer otherwise. */
  readonly depositorClass: Felt;
  readonly signature: Felts;
}

/**
 * Asks an account's own code whether a signature is its own. What runs is the depositor's: it may
 * refuse, revert, or answer anything.
 */
export abstract class ConsentCheck {
  /**
   * True only for the answer that the account's class gives to a good signature. Rejects with a
   * `DomainError` when the node can't answer.
   */
  abstract isGiven(signed: SignedConsent): Promise<boolean>;
}
