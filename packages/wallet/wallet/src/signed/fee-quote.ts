import { WalletError } from '../errors.js';
import { U256_TYPE, digits, felt, text, timestamp, u256 } from './snip-12.js';
import { checkSignature, keysAt, type SignedMessage } from './stark-signature.js';

/**
 * Signed part of the reply of `POST /api/relayer/quote`: a fee that binds the relayer. Felts are 0x
 * hex.
 */
export interface SignedFeeQuote {
  readonly quoteId: string;
  readonly chainId: string;
  readonly pool: string;
  /** Address that a proof must name as its relayer. */
  readonly relayer: string;
  /** Decimal digits, in the smallest unit of the pool's token. */
  readonly fee: string;
  /** Unix time in seconds. */
  readonly expiresAt: number;
  /** Account whose key signed it. */
  readonly signer: string;
  /** r and s. */
  readonly signature: readonly string[];
}

export interface FeeQuoteCheck {
  /**
   * Stark key of the signer: the x coordinate, 0x hex. Must come from a source that the wallet
   * trusts, such as `get_public_key` of the account on the wallet's node. Never use a key from the
   * reply that is checked.
   */
  readonly signerPublicKey: string;
  /** @default Date.now() */
  readonly nowMs?: number;
}

const FEE_QUOTE_TYPE = `"FeeQuote"("id":"string","pool":"ContractAddress","relayer":"ContractAddress","fee":"u256","expires_at":"timestamp")${U256_TYPE}`;

/**
 * Verifies offline that the key's owner signed this fee, for this chain, pool and relayer. The
 * caller must compare chain and pool with the requested ones. Throws on any failure, so that no
 * caller can use an invalid quote.
 * @throws WalletError
 *   SIGNATURE_FORGED: the key's owner has not signed this;
 *   QUOTE_EXPIRED: the quote was valid until `expiresAt`;
 *   SIGNER_KEY_MALFORMED: the key is not an x coordinate of the Stark curve
 */
export function verifyFeeQuote(
  quote: SignedFeeQuote,
  { signerPublicKey, nowMs = Date.now() }: FeeQuoteCheck,
): 'valid' {
  checkSignature(keysAt(signerPublicKey), quote, () => feeQuoteMessage(quote));
  if (nowMs >= quote.expiresAt * 1_000)
    throw new WalletError('QUOTE_EXPIRED', 'the quote has expired');
  return 'valid';
}

/**
 * Builds the message of SNIP-12, revision 1. The relayer signs the same definition; a test of its
 * adapter compares the two.
 */
export function feeQuoteMessage({
  quoteId,
  chainId,
  pool,
  relayer,
  fee,
  expiresAt,
}: Omit<SignedFeeQuote, 'signer' | 'signature'>): SignedMessage {
  const fields = [
    text(quoteId),
    felt(pool),
    felt(relayer),
    u256(digits(fee)),
    timestamp(expiresAt),
  ];
  return { chainId, struct: { type: FEE_QUOTE_TYPE, fields } };
}
