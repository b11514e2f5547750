import type { Felt } from '@sotto/kernel';
import {
  domainFields,
  sottoDomain,
  timestampText,
  u256Text,
  type TypedDataDomain,
  type TypedField,
  type U256Text,
} from '../../relay/domain/typed-data.js';

/**
 * Consent of a depositor that this pool may debit its denomination for this note until the expiry.
 */
export interface DepositConsent {
  readonly chainId: Felt;
  readonly pool: Felt;
  readonly token: Felt;
  /** Denomination of the pool, in the token's smallest unit. */
  readonly denomination: bigint;
  readonly commitment: bigint;
  /** Expiry in Unix milliseconds. The value must be a whole second. */
  readonly expiresAtMs: number;
}

/** SNIP-12 typed data of a consent, in the format that wallets and libraries use. */
export interface DepositConsentTypedData {
  types: { StarknetDomain: TypedField[]; Deposit: TypedField[] };
  primaryType: 'Deposit';
  domain: TypedDataDomain;
  message: {
    pool: Felt;
    token: Felt;
    denomination: U256Text;
    commitment: U256Text;
    /** Expiry as Unix time in seconds. */
    expires_at: string;
  };
}

/**
 * Builds the typed data (SNIP-12, revision 1) that the depositor signs and the relayer verifies.
 * Amounts are decimal strings. The domain contains the chain. The depositor's address is part of
 * the message hash.
 * @throws RangeError if the consent does not expire at a whole second, because the signed time
 *   would then differ from the consent's expiry
 */
export function depositConsentTypedData(consent: DepositConsent): DepositConsentTypedData {
  const { chainId, pool, token, denomination, commitment, expiresAtMs } = consent;
  return {
    types: {
      StarknetDomain: domainFields(),
      Deposit: [
        { name: 'pool', type: 'ContractAddress' },
        { name: 'token', type: 'ContractAddress' },
        { name: 'denomination', type: 'u256' },
        { name: 'commitment', type: 'u256' },
        { name: 'expires_at', type: 'timestamp' },
      ],
    },
    primaryType: 'Deposit',
    domain: sottoDomain(chainId),
    message: {
      pool,
      token,
      denomination: u256Text(denomination),
      commitment: u256Text(commitment),
      expires_at: timestampText(expiresAtMs, 'a consent'),
    },
  };
}
