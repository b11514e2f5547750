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
 * What a depositor agrees to: that this pool takes its denomination of them, for this note, until
 * then.
 */
export interface DepositConsent {
  readonly chainId: Felt;
  readonly pool: Felt;
  readonly token: Felt;
  /** In the token's smallest unit. */
  readonly denomination: bigint;
  readonly commitment: bigint;
  /** A whole second. */
  readonly expiresAtMs: number;
}

/** SNIP-12 typed data of a consent, in the shape that wallets and libraries take. */
export interface DepositConsentTypedData {
  types: { StarknetDomain: TypedField[]; Deposit: TypedField[] };
  primaryType: 'Deposit';
  domain: TypedDataDomain;
  message: {
    pool: Felt;
    token: Felt;
    denomination: U256Text;
    commitment: U256Text;
    /** Unix time in seconds. */
    expires_at: string;
  };
}

/**
 * What the depositor's account signs and the relayer has it verify: SNIP-12, revision 1. Amounts
 * are decimal texts. The chain is part of the domain, the depositor of the hash that both make of
 * this.
 * @throws RangeError when the consent does not expire at a whole second: it would say another
 *   moment than what is signed.
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
