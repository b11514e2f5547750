import { describe, expect, it } from '@jest/globals';
import { ec } from 'starknet';

import {
  WalletError,
  verifyFeeQuote,
  type FeeQuoteCheck,
  type SignedFeeQuote,
} from '../../src/advanced.js';
import { feeQuote, otherPoint, signerPublicKey } from '../support/fee-quote.js';

const EXPIRES_AT_MS = feeQuote.expiresAt * 1_000;
const BEFORE = EXPIRES_AT_MS - 1;
/** Returns the result of `verifyFeeQuote`, or the code of the error that it throws. */
function verdictOf(quote: SignedFeeQuote, check: FeeQuoteCheck): string {
  try {
    return verifyFeeQuote(quote, check);
  } catch (error) {
    if (error instanceof WalletError) return error.code;
    throw error;
  }
}
const verdict = (changes: Partial<SignedFeeQuote> = {}, nowMs = BEFORE): string =>
  verdictOf({ ...feeQuote, ...changes }, { signerPublicKey, nowMs });

describe('verifyFeeQuote', () => {
  it('verifyFeeQuote accepts a quote in a different number format', () => {
    expect(verdict()).toBe('valid');
    expect(verdict({ fee: '026', pool: feeQuote.pool.replace('0x2bdb', '0x02BDB') })).toBe('valid');
  });

  it('verifyFeeQuote returns QUOTE_EXPIRED exactly at the time of expiry', () => {
    expect(verdict({}, EXPIRES_AT_MS)).toBe('QUOTE_EXPIRED');
    expect(verdict({}, Number.MAX_SAFE_INTEGER)).toBe('QUOTE_EXPIRED');
  });

  it('verifyFeeQuote uses the current time by default', () => {
    expect(verifyFeeQuote(feeQuote, { signerPublicKey })).toBe('valid');
  });

  const [r = '', s = ''] = feeQuote.signature;
  it.each<readonly [string, Partial<SignedFeeQuote>]>([
    ['another id', { quoteId: `${feeQuote.quoteId}x` }],
    ['another chain', { chainId: '0x534e5f4d41494e' }],
    ['another pool', { pool: '0x1' }],
    ['another relayer', { relayer: '0xfef' }],
    ['a lower fee', { fee: '25' }],
    ['a fee with another high half', { fee: String(26n + (1n << 128n)) }],
    ['a later expiry', { expiresAt: feeQuote.expiresAt + 1 }],
    ['an earlier expiry', { expiresAt: feeQuote.expiresAt - 1 }],
    ['another account', { signer: '0x99' }],
    ['another r', { signature: ['0x1', s] }],
    ['another s', { signature: [r, '0x1'] }],
    ['both halves exchanged', { signature: [s, r] }],
  ])('verifyFeeQuote rejects a changed quote with %s', (_what, changes) => {
    expect(verdict(changes)).toBe('SIGNATURE_FORGED');
    expect(verdict(changes, Number.MAX_SAFE_INTEGER)).toBe('SIGNATURE_FORGED');
  });

  it.each<readonly [string, object]>([
    ['a negative fee', { fee: '-1' }],
    ['a fee of 2^256', { fee: String(1n << 256n) }],
    ['a fee that is no digits', { fee: '0x1a' }],
    ['no fee', { fee: undefined }],
    ['a moment between seconds', { expiresAt: feeQuote.expiresAt + 0.5 }],
    ['a moment that never comes', { expiresAt: Infinity }],
    ['a moment that is text', { expiresAt: String(feeQuote.expiresAt) }],
    ['a pool in decimal', { pool: '1' }],
    ['a pool outside the field', { pool: `0x${'f'.repeat(64)}` }],
    ['a chain by its name', { chainId: 'SN_SEPOLIA' }],
    ['an r of zero', { signature: ['0x0', s] }],
    ['an s above the order', { signature: [r, `0x${'f'.repeat(64)}`] }],
    ['half a signature', { signature: [r] }],
    ['more than a signature', { signature: [r, s, '0x0'] }],
    ['no signature', { signature: undefined }],
    ['a list for an id', { quoteId: [feeQuote.quoteId] }],
  ])('verifyFeeQuote rejects a malformed quote with %s', (_what, changes) => {
    expect(verdictOf({ ...feeQuote, ...changes }, { signerPublicKey, nowMs: 0 })).toBe(
      'SIGNATURE_FORGED',
    );
  });

  it('verifyFeeQuote rejects a quote that was signed with a different key', () => {
    const another = ec.starkCurve.getStarkKey('0x2');
    expect(verdictOf(feeQuote, { signerPublicKey: another, nowMs: BEFORE })).toBe(
      'SIGNATURE_FORGED',
    );
  });

  it('verifyFeeQuote accepts signatures of both keys with the same x coordinate, as Starknet does', () => {
    expect(verifyFeeQuote(otherPoint, { signerPublicKey, nowMs: BEFORE })).toBe('valid');
  });

  it.each(['', '1', '0x', `0x${'f'.repeat(64)}`, `0x${'1'.repeat(65)}`, '0x5'])(
    'verifyFeeQuote rejects the signer key %j',
    (key) => {
      const check = (): unknown => verifyFeeQuote(feeQuote, { signerPublicKey: key });
      expect(check).toThrow(WalletError);
      expect(check).toThrow(expect.objectContaining({ code: 'SIGNER_KEY_MALFORMED' }));
    },
  );
});
