import { u256ToHalves, type Felt } from '@sotto/kernel';
import type { FeeQuote } from './fee-quote.js';

interface TypedField {
  name: string;
  type: string;
}

/** SNIP-12 typed data of a quote, in the shape that wallets and libraries take. */
export interface FeeQuoteTypedData {
  types: { StarknetDomain: TypedField[]; FeeQuote: TypedField[] };
  primaryType: 'FeeQuote';
  domain: { name: string; version: string; chainId: Felt; revision: string };
  message: {
    id: string;
    pool: Felt;
    relayer: Felt;
    fee: { low: string; high: string };
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
  if (!Number.isSafeInteger(expiresAtMs) || expiresAtMs % 1_000 !== 0)
    throw new RangeError('a quote expires at a whole second');
  const [low, high] = u256ToHalves(feeAmount);
  return {
    types: {
      StarknetDomain: [
        { name: 'name', type: 'shortstring' },
        { name: 'version', type: 'shortstring' },
        { name: 'chainId', type: 'shortstring' },
        { name: 'revision', type: 'shortstring' },
      ],
      FeeQuote: [
        { name: 'id', type: 'string' },
        { name: 'pool', type: 'ContractAddress' },
        { name: 'relayer', type: 'ContractAddress' },
        { name: 'fee', type: 'u256' },
        { name: 'expires_at', type: 'timestamp' },
      ],
    },
    primaryType: 'FeeQuote',
    domain: { name: 'Sotto', version: '1', chainId, revision: '1' },
    message: {
      id,
      pool,
      relayer,
      fee: { low: String(low), high: String(high) },
      expires_at: String(expiresAtMs / 1_000),
    },
  };
}
