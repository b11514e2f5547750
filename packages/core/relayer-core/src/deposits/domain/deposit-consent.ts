import { u256ToHalves, type Felt } from '@sotto/kernel';

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

interface TypedField {
  name: string;
  type: string;
}

interface U256Text {
  low: string;
  high: string;
}

/** SNIP-12 typed data of a consent, in the shape that wallets and libraries take. */
export interface DepositConsentTypedData {
  types: { StarknetDomain: TypedField[]; Deposit: TypedField[] };
  primaryType: 'Deposit';
  domain: { name: string; version: string; chainId: Felt; revision: string };
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
  if (!Number.isSafeInteger(expiresAtMs) || expiresAtMs % 1_000 !== 0)
    throw new RangeError('a consent expires at a whole second');
  return {
    types: {
      StarknetDomain: [
        { name: 'name', type: 'shortstring' },
        { name: 'version', type: 'shortstring' },
        { name: 'chainId', type: 'shortstring' },
        { name: 'revision', type: 'shortstring' },
      ],
      Deposit: [
        { name: 'pool', type: 'ContractAddress' },
        { name: 'token', type: 'ContractAddress' },
        { name: 'denomination', type: 'u256' },
        { name: 'commitment', type: 'u256' },
        { name: 'expires_at', type: 'timestamp' },
      ],
    },
    primaryType: 'Deposit',
    domain: { name: 'Sotto', version: '1', chainId, revision: '1' },
    message: {
      pool,
      token,
      denomination: u256Text(denomination),
      commitment: u256Text(commitment),
      expires_at: String(expiresAtMs / 1_000),
    },
  };
}

function u256Text(value: bigint): U256Text {
  const [low, high] = u256ToHalves(value);
  return { low: String(low), high: String(high) };
}
