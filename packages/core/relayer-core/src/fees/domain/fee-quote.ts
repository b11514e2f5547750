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

/** SNIP-12 typed data of a quote, in the shape that wallets and libraries take. */
export interface FeeQuoteTypedData {
  types: { StarknetDomain: TypedField[]; FeeQuote: TypedField[] };
  primaryType: 'FeeQuote';
  domain: TypedDataDomain;
  message: {
    id: string;
    pool: Felt;
    relayer: Felt;
    fee: U256Text;
    /** Unix time in seconds. */
    expires_at: string;
  };
}

/** What is signed of a quote. */
export type QuotedFee = Omit<FeeQuote, 'operation' | 'leafIndex'>;

/**
 * What the relayer's account signs and the wallet verifies: SNIP-12, revision 1. Amounts are
 * decimal texts. The chain is part of the domain, the account of the hash that both make of this.
 * @throws RangeError when the quote does not expire at a whole second: it would say another moment
 *   than what is signed.
 */
export function feeQuoteTypedData({
  id,
  chainId,
  pool,
  relayer,
  feeAmount,
  expiresAtMs,
}: QuotedFee): FeeQuoteTypedData {
  return {
    types: {
      StarknetDomain: domainFields(),
      FeeQuote: [
        { name: 'id', type: 'string' },
        { name: 'pool', type: 'ContractAddress' },
        { name: 'relayer', type: 'ContractAddress' },
        { name: 'fee', type: 'u256' },
        { name: 'expires_at', type: 'timestamp' },
      ],
    },
    primaryType: 'FeeQuote',
    domain: sottoDomain(chainId),
    message: {
      id,
      pool,
      relayer,
      fee: u256Text(feeAmount),
      expires_at: timestampText(expiresAtMs, 'a quote'),
    },
  };
}

/** What a fee is asked for. */
export type QuotedOperation = 'withdraw' | 'private_swap';

/**
 * A fee that the relayer has bound itself to: what the wallet checks offline and cites in a
 * withdrawal.
 */
export interface FeeQuote {
  /** Public, unguessable name. */
  readonly id: string;
  readonly chainId: Felt;
  readonly pool: Felt;
  readonly operation: QuotedOperation;
  /**
   * The leaf whose withdrawal it serves; null where the notes of the pool are all worth the same.
   */
  readonly leafIndex: number | null;
  /** The address that a proof must name as its relayer. */
  readonly relayer: Felt;
  /** In the smallest unit of the token that the note is paid out in. */
  readonly feeAmount: bigint;
  readonly expiresAtMs: number;
}

export interface SignedFeeQuote extends FeeQuote {
  /** SNIP-12 signature of the quote's signer (r, s). */
  readonly signature: readonly [r: Felt, s: Felt];
  /** The account whose key signed it. */
  readonly signer: Felt;
}
