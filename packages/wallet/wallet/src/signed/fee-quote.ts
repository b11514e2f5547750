import { WalletError } from '../errors.js';
import { U256_TYPE, digits, felt, text, timestamp, u256 } from './snip-12.js';
import { checkSignature, keysAt, type SignedMessage } from './stark-signature.js';

/**
 * Signed fields of the reply of `POST /api/relayer/quote`: a fee that the relayer must accept.
 * Felts are 0x hex.
 */
export interface SignedFeeQuote {
  readonly quoteId: string;
  readonly chainId: string;
  readonly pool: string;
  /** Address that a proof must contain as its relayer. */
  readonly relayer: string;
  /** Fee as decimal digits, in the smallest unit of the pool's ERC-20 token. */
  readonly fee: string;
  /** Expiry of the quote, as Unix time in seconds. */
  readonly expiresAt: number;
  /** Address of the account whose key signed the quote. */
  readonly signer: string;
  /** Numbers r and s of the signature. */
  readonly signature: readonly string[];
}

export interface FeeQuoteCheck {
  /**
   * Stark key of the signer: the x coordinate, 0x hex. The key must come from a source that the
   * wallet trusts, such as `get_public_key` of the account on the wallet's node. Never use a key
   * from the reply that is checked.
   */
  readonly signerPublicKey: string;
  /** Current Unix time in ms. @default Date.now() */
  readonly nowMs?: number;
}

const FEE_QUOTE_TYPE = `"FeeQuote"("id":"string","pool":"ContractAddress","relayer":"ContractAddress","fee":"u256","expires_at":"timestamp")${U256_TYPE}`;

/**
 * Verifies offline that the key's owner signed this fee, for this chain, pool and relayer. The
 * caller must compare the chain and pool with the requested chain and pool. Throws on any failure,
 * so that no caller can use an invalid quote.
 * @throws WalletError SIGNATURE_FORGED: the key's owner has not signed this quote; QUOTE_EXPIRED:
 *   the quote was valid until `expiresAt`; SIGNER_KEY_MALFORMED: the key is not an x coordinate of
 *   the Stark curve
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
 * Builds the quote's message of SNIP-12, revision 1. The relayer has its own definition of this
 * message; a test of the relayer's adapter compares both definitions.
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
