import type { Felt, Felts } from '@sotto/kernel';
import type { DepositConsent } from '../domain/deposit-consent.js';

export interface SignedConsent {
  readonly consent: DepositConsent;
  readonly depositor: Felt;
  /** Class of the depositor's account. Classes older than SRC-6 return another value. */
  readonly depositorClass: Felt;
  readonly signature: Felts;
  /**
   * True if the operator trusts the code of this class. Then the call may share a request with
   * other reads.
   */
  readonly isKnownClass: boolean;
}

/**
 * Calls a depositor's account to verify a signature. The account runs the depositor's code: it may
 * reject, revert, or return anything.
 */
export abstract class ConsentCheck {
  /**
   * Returns true only for the value that the account's class returns for a valid signature. A call
   * to an unknown class has a deadline, a maximum response size and a separate request, so it can't
   * change or delay other reads.
   * @throws DepositSignatureUnchecked if the account missed the deadline, or no longer has the
   *   known class. Rejects with a `DomainError` if the node is unavailable.
   */
  abstract isGiven(signed: SignedConsent): Promise<boolean>;
}
