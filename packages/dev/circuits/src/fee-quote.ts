import type { TypedData } from 'starknet';

import { SNIP_12_DOMAIN, felt, isSignedBy, keysAt } from './stark-signature.js';

/**
 * What `POST /api/relayer/quote` answers, as far as it is signed: a fee that the relayer has bound
 * itself to. Felts are 0x hex.
 */
export interface SignedFeeQuote {
  readonly quoteId: string;
  readonly chainId: string;
  readonly pool: string;
  /** The address that a proof must name as its relayer. */
  readonly relayer: string;
  /** Decimal digits, in the smallest unit of the pool's token. */
  readonly fee: string;
  /** Unix time in seconds. */
  readonly expiresAt: number;
  /** The account whose key signed it. */
  readonly signer: string;
  /** r and s. */
  readonly signature: readonly string[];
}

export interface FeeQuoteCheck {
  /**
   * The signer's Stark key: the x coordinate, 0x hex. From a source that the wallet trusts, such as
   * `get_public_key` of the account on a node of its own; never from the reply that it checks.
   */
  readonly signerPublicKey: string;
  /** @default Date.now() */
  readonly nowMs?: number;
}

/**
 * - `valid`: the key's owner is bound to this fee, for this chain, pool and relayer;
 * - `expired`: it was, until `expiresAt`;
 * - `forged`: the key's owner has not signed this, if it is a quote at all.
 */
export type FeeQuoteVerdict = 'valid' | 'expired' | 'forged';

const DIGITS = /^[0-9]{1,78}$/;
const HALF = 1n << 128n;

/**
 * Checks a quote without asking anybody. Whether chain and pool are those that the wallet asked for
 * is left to compare.
 * @throws CircuitError SIGNER_KEY_MALFORMED when the key is no x coordinate of the Stark curve
 */
export function verifyFeeQuote(
  quote: SignedFeeQuote,
  { signerPublicKey, nowMs = Date.now() }: FeeQuoteCheck,
): FeeQuoteVerdict {
  const keys = keysAt(signerPublicKey);
  return isSignedBy(keys, quote, () => typedDataOf(quote))
    ? nowMs < quote.expiresAt * 1_000
      ? 'valid'
      : 'expired'
    : 'forged';
}

/**
 * SNIP-12, revision 1; the relayer signs the same definition, to which a test of its adapter holds
 * this one.
 */
function typedDataOf({
  quoteId,
  chainId,
  pool,
  relayer,
  fee,
  expiresAt,
}: SignedFeeQuote): TypedData {
  const amount = digits(fee);
  return {
    types: {
      StarknetDomain: SNIP_12_DOMAIN,
      FeeQuote: [
        { name: 'id', type: 'string' },
        { name: 'pool', type: 'ContractAddress' },
        { name: 'relayer', type: 'ContractAddress' },
        { name: 'fee', type: 'u256' },
        { name: 'expires_at', type: 'timestamp' },
      ],
    },
    primaryType: 'FeeQuote',
    domain: { name: 'Sotto', version: '1', chainId: felt(chainId), revision: '1' },
    message: {
      id: quoteId,
      pool: felt(pool),
      relayer: felt(relayer),
      fee: { low: String(amount % HALF), high: String(amount / HALF) },
      expires_at: String(wholeSeconds(expiresAt)),
    },
  };
}

function digits(text: string): bigint {
  if (!DIGITS.test(text)) throw new RangeError('expected decimal digits');
  return BigInt(text);
}

function wholeSeconds(seconds: number): number {
  if (!Number.isSafeInteger(seconds)) throw new RangeError('a quote expires at a whole second');
  return seconds;
}
