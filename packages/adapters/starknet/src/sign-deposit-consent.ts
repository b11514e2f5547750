import { toFelt, type Felt } from '@sotto/kernel';
import { depositConsentTypedData, type DepositConsent } from '@sotto/relayer-core';
import { typedData } from 'starknet';
import { AccountKey, type SigningAccount } from './keys/account-key.js';

/**
 * A consent as the depositor's wallet signs it, for an account with one Stark key: r and s.
 * @throws AccountKeyUnusable when the key is invalid
 */
export function signDepositConsent(
  account: SigningAccount,
  consent: DepositConsent,
): readonly [r: Felt, s: Felt] {
  return new AccountKey(account).sign(
    toFelt(typedData.getMessageHash(depositConsentTypedData(consent), account.address)),
  );
}
