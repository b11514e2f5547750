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
import type { FeeQuote } from './fee-quote.js';

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
