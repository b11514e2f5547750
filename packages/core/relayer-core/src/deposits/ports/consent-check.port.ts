import type { Felt, Felts } from '@sotto/kernel';
import type { DepositConsent } from '../domain/deposit-consent.js';

export interface SignedConsent {
  readonly consent: DepositConsent;
  readonly depositor: Felt;
  /**
   * Class hash of the depositor's account. Classes older than SRC-6 return a value other than
   * `VALID` for a valid signature.
   */
  readonly depositorClass: Felt;
  readonly signature: Felts;
  /**
   * True if the operator trusts the code of this class. Then the call may be in the same batched
   * request as other reads.
   */
  readonly isKnownClass: boolean;
}

/**
 * Calls a depositor's account to verify a signature. The account runs the depositor's own code,
 * which may reject, revert, or return any value.
 */
export abstract class ConsentCheck {
  /**
   * Returns true only if the result is the value that the account's class returns for a valid
   * signature. A call to an account of an unknown class is a separate request with a deadline and a
   * maximum response size. So it can't change or delay other reads.
   * @throws DepositSignatureUnchecked if the account missed the deadline, or no longer has the
   *   class `depositorClass`. Rejects with a `DomainError` if the node is unavailable.
   */
  abstract isGiven(signed: SignedConsent): Promise<boolean>;
}
