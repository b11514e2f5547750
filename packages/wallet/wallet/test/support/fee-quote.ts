import type { SignedFeeQuote } from '../../src/advanced.js';

/** Public Stark key of the private key 0x1234567890abcdef1234567890abcdef. */
export const signerPublicKey = '0x31b88d91e173d70b5bd284f7a898d99005d9ade236ee671e0db0078996aa599';

/**
 * Quote that was signed only with starknet.js 10.8.0, from typed data that was written by hand. The
 * quote expires on 1 January 2099.
 */
export const feeQuote: SignedFeeQuote = {
  quoteId: 'Zq0_x4tq-ioPGnYvb8U8Sw0123456789abcdefghij',
  chainId: '0x534e5f5345504f4c4941',
  pool: '0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33',
  relayer: '0xfee',
  fee: '26',
  expiresAt: 4_070_908_800,
  signature: [
    '0x6454300d0107d686ffc39cebe0f0afdaee9809685f5fbeebd3171313775bd83',
    '0x1dc7268352f04c2cf3e9471e896aa7426ca63a4048f18951139f7a83f8e4d82',
  ],
  signer: '0x5e1a7e2',
};

/**
 * The same quote, signed with the curve's order minus the private key. The public key of this
 * private key is the second point with the same x coordinate.
 */
export const otherPoint: SignedFeeQuote = {
  ...feeQuote,
  signature: [
    '0x2307b0a212c3223c9b03fe364d4fcb9c1a9e60008c978f4385480594ff18003',
    '0x80fd2753daca25c47d1e40674fc9d9fb18fe94a96655bfbd425d9af50ea8b6',
  ],
};
