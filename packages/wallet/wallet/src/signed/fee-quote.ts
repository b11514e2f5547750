import { WalletError } from '../errors.js';
import { U256_TYPE, digits, felt, text, timestamp, u256 } from './snip-12.js';
import { checkSignature, keysAt, type SignedMessage } from './stark-signature.js';

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

const FEE_QUOTE_TYPE = `"FeeQuote"("id":"string","pool":"ContractAddress","relayer":"ContractAddress","fee":"u256","expires_at":"timestamp")${U256_TYPE}`;

/**
 * Checks a quote without asking anybody: the key's owner is bound to this fee, for this chain, pool
 * and relayer. Whether chain and pool are those that the wallet asked for is left to compare.
 * Whatever is not so is thrown, so that no caller can take it for a quote.
 * @throws WalletError
 *   SIGNATURE_FORGED: the key's owner has not signed this, if it is a quote at all;
 *   QUOTE_EXPIRED: the owner was bound, until `expiresAt`;
 *   SIGNER_KEY_MALFORMED: the key is no x coordinate of the Stark curve
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
 * SNIP-12, revision 1; the relayer signs the same definition, to which a test of its adapter holds
 * this one.
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
