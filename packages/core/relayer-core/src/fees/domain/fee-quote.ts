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

/** SNIP-12 typed data of a quote, in the format that wallets and libraries use. */
export interface FeeQuoteTypedData {
  types: { StarknetDomain: TypedField[]; FeeQuote: TypedField[] };
  primaryType: 'FeeQuote';
  domain: TypedDataDomain;
  message: {
    id: string;
    pool: Felt;
    relayer: Felt;
    fee: U256Text;
    /** Expiry as Unix time in seconds. */
    expires_at: string;
  };
}

/** Signed part of a quote. */
export type QuotedFee = Omit<FeeQuote, 'operation' | 'leafIndex' | 'recipientGasFri'>;

/**
 * Builds the typed data (SNIP-12, revision 1) that the relayer's account signs and the wallet
 * verifies. Amounts are decimal strings. The domain contains the chain id. The account's address is
 * part of the message hash.
 * @throws RangeError if the quote does not expire at a whole second, because the signed time would
 *   then differ from the quote's expiry
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

/** Operation for which a fee is quoted. */
export type QuotedOperation = 'withdraw' | 'private_swap';

/**
 * Fee to which the relayer has committed. The wallet verifies the quote offline and cites it in a
 * withdrawal.
 */
export interface FeeQuote {
  /** Public id of the quote. The id is unguessable. */
  readonly id: string;
  readonly chainId: Felt;
  readonly pool: Felt;
  readonly operation: QuotedOperation;
  /**
   * Index of the leaf for whose withdrawal the quote is valid; null for pools whose notes all have
   * the same value.
   */
  readonly leafIndex: number | null;
  /**
   * STRK that the withdrawal gives to its recipient, in fri. The fee includes its price. Absent if
   * the quote is for a withdrawal without STRK.
   */
  readonly recipientGasFri?: bigint;
  /** Address that a proof must contain as its relayer. */
  readonly relayer: Felt;
  /** Fee in the smallest unit of the token of the payout. */
  readonly feeAmount: bigint;
  readonly expiresAtMs: number;
}

export interface SignedFeeQuote extends FeeQuote {
  /** SNIP-12 signature of the quote's signer (r, s). */
  readonly signature: readonly [r: Felt, s: Felt];
  /** Account whose key signed the quote. */
  readonly signer: Felt;
}
