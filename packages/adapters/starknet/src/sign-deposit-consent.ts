import { toFelt, type Felt } from '@sotto/kernel';
import { depositConsentTypedData, type DepositConsent } from '@sotto/relayer-core';
import { typedData } from 'starknet';
import { AccountKey, type SigningAccount } from './keys/account-key.js';

/**
 * Signs a deposit consent in the same format as the depositor's wallet. The account must be
 * controlled by one Stark key.
 * @throws AccountKeyUnusable if the key is invalid
 */
export function signDepositConsent(
  account: SigningAccount,
  consent: DepositConsent,
): readonly [r: Felt, s: Felt] {
  return new AccountKey(account).sign(
    toFelt(typedData.getMessageHash(depositConsentTypedData(consent), account.address)),
  );
}
