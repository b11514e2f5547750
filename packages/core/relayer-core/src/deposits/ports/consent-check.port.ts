import type { Felt, Felts } from '@sotto/kernel';
import type { DepositConsent } from '../domain/deposit-consent.js';

export interface SignedConsent {
  readonly consent: DepositConsent;
  readonly depositor: Felt;
  /** The class of the depositor's account: classes before SRC-6 answer otherwise. */
  readonly depositorClass: Felt;
  readonly signature: Felts;
  /**
   * True if the class is one that the operator knows: its code is the operator's choice and no
   * stranger's, so it may share requests with other reads.
   */
  readonly isKnownClass: boolean;
}

/**
 * Asks an account's own code whether a signature is its own. What runs is the depositor's: it may
 * refuse, revert, or answer anything.
 */
export abstract class ConsentCheck {
  /**
   * True only for the answer that the account's class gives to a good signature. An account of an
   * unknown class has a deadline and a maximum size of its answer, and a request of its own: it
   * neither changes nor delays any other read.
   * @throws DepositSignatureUnchecked if the account missed the deadline, or is not of the known
   *   class any more. Rejects with a `DomainError` if the node can't answer.
   */
  abstract isGiven(signed: SignedConsent): Promise<boolean>;
}
