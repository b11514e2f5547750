import { describe, expect, it } from '@jest/globals';

import { acceptQuote, QuoteNotTrusted, WalletError, type QuoteTerms } from '../../src/advanced.js';
import { AcceptedQuote } from '../../src/signed/accepted-quote.js';
import { feeQuote, signerPublicKey } from '../support/fee-quote.js';

const terms: QuoteTerms = {
  signerKey: signerPublicKey,
  chainId: feeQuote.chainId,
  pool: feeQuote.pool,
  maxFee: 26n,
};
const accepted = acceptQuote(feeQuote, terms);

describe('acceptQuote', () => {
  it("acceptQuote accepts a quote for the requested pool with a fee up to the user's maximum", () => {
    expect(accepted).toMatchObject({
      quoteId: feeQuote.quoteId,
      fee: 26n,
      relayer: '0xfee',
      expiresAtMs: feeQuote.expiresAt * 1_000,
      signerKey: signerPublicKey,
    });
  });

  it('acceptQuote accepts the felts of chain and pool in any format', () => {
    const pool = feeQuote.pool.replace('0x2bdb', '0x02BDB');
    expect(acceptQuote(feeQuote, { ...terms, pool }).fee).toBe(26n);
  });

  it.each<readonly [string, Partial<QuoteTerms>, Partial<typeof feeQuote>]>([
    ['SIGNATURE_FORGED', {}, { fee: '25' }],
    ['SIGNATURE_FORGED', {}, { relayer: '0xfef' }],
    ['SIGNATURE_FORGED', {}, { fee: Object(undefined) }],
    ['QUOTE_EXPIRED', { nowMs: feeQuote.expiresAt * 1_000 }, {}],
    ['QUOTE_OF_ANOTHER_CHAIN', { chainId: '0x534e5f4d41494e' }, {}],
    ['QUOTE_OF_ANOTHER_POOL', { pool: '0x1' }, {}],
    ['FEE_ABOVE_MAXIMUM', { maxFee: 25n }, {}],
  ])('acceptQuote throws %s', (code, changedTerms, changes) => {
    const accept = (): unknown =>
      acceptQuote({ ...feeQuote, ...changes }, { ...terms, ...changedTerms });
    expect(accept).toThrow(QuoteNotTrusted);
    expect(accept).toThrow(WalletError);
    expect(accept).toThrow(expect.objectContaining({ name: 'QuoteNotTrusted', code }));
  });

  it('acceptQuote throws a separate error for a malformed signer key', () => {
    expect(() => acceptQuote(feeQuote, { ...terms, signerKey: '0x5' })).toThrow(
      expect.objectContaining({ name: 'WalletError', code: 'SIGNER_KEY_MALFORMED' }),
    );
  });

  it('only acceptQuote can create an accepted quote', () => {
    expect(AcceptedQuote.is(accepted)).toBe(true);
    expect(AcceptedQuote.is(Object.assign({}, accepted))).toBe(false);
    expect(AcceptedQuote.is(Object.create(AcceptedQuote.prototype))).toBe(false);
    expect(() => new AcceptedQuote(Symbol('accepted'), feeQuote, signerPublicKey)).toThrow(
      TypeError,
    );
    expect(() => Object.assign(accepted, { fee: 1n })).toThrow(TypeError);
  });
});
