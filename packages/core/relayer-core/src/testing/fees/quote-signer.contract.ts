import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { feltToBigInt, toFelt } from '@sotto/kernel';
import type { FeeQuote, SignedFeeQuote } from '../../fees/domain/fee-quote.js';
import type { QuoteSigner } from '../../fees/ports/quote-signer.port.js';

export interface QuoteSignerHarness {
  readonly subject: QuoteSigner;
  /**
   * Whether the signer's account signed exactly this quote, checked without the subject where the
   * signature allows it.
   */
  verifies(signed: SignedFeeQuote): Promise<boolean>;
  stop(): Promise<void>;
}

const quote: FeeQuote = {
  id: 'Zq0_x4tq-ioPGnYvb8U8Sw0123456789abcdefghij',
  chainId: toFelt('0x534e5f5345504f4c4941'),
  pool: toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33'),
  relayer: toFelt('0xfee'),
  operation: 'withdraw',
  leafIndex: null,
  feeAmount: 26n,
  expiresAtMs: 1_760_000_120_000,
};

const forgeries: readonly (readonly [string, Partial<SignedFeeQuote>])[] = [
  ['another id', { id: 'Zq0_x4tq-ioPGnYvb8U8Sw0123456789abcdefghiJ' }],
  ['another chain', { chainId: toFelt('0x534e5f4d41494e') }],
  ['another pool', { pool: toFelt('0x1') }],
  ['another relayer', { relayer: toFelt('0xfef') }],
  ['a lower fee', { feeAmount: 25n }],
  ['a fee that differs in its high half', { feeAmount: 26n + 2n ** 128n }],
  ['a later expiry', { expiresAtMs: quote.expiresAtMs + 1_000 }],
  ['another account', { signer: toFelt('0x99') }],
];

export function describeQuoteSignerContract(
  name: string,
  start: () => Promise<QuoteSignerHarness>,
): void {
  describe(`QuoteSigner contract (${name})`, () => {
    let harness: QuoteSignerHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('gives the quote back as it was, with a signature and its account', async () => {
      const { signature, signer, ...rest } = await harness.subject.sign(quote);
      expect(rest).toEqual(quote);
      expect(signature).toHaveLength(2);
      for (const felt of [...signature, signer]) expect(toFelt(feltToBigInt(felt))).toBe(felt);
      expect(signer).not.toBe('0x0');
    });

    it('signs what a wallet can verify, any number of times', async () => {
      expect(await harness.verifies(await harness.subject.sign(quote))).toBe(true);
      expect(await harness.verifies(await harness.subject.sign(quote))).toBe(true);
      const highest = { ...quote, feeAmount: 2n ** 256n - 1n };
      expect(await harness.verifies(await harness.subject.sign(highest))).toBe(true);
    });

    it.each(forgeries)('binds its signature: %s does not verify', async (_, change) => {
      expect(await harness.verifies({ ...(await harness.subject.sign(quote)), ...change })).toBe(
        false,
      );
    });

    it('does not verify with a signature of its own making', async () => {
      const signed = await harness.subject.sign(quote);
      const [r, s] = signed.signature;
      expect(
        await harness.verifies({ ...signed, signature: [r, toFelt(feltToBigInt(s) ^ 1n)] }),
      ).toBe(false);
      expect(await harness.verifies({ ...signed, signature: [s, r] })).toBe(false);
    });

    it('signs no moment that its typed data cannot say', async () => {
      await expect(
        harness.subject.sign({ ...quote, expiresAtMs: quote.expiresAtMs + 1 }),
      ).rejects.toBeInstanceOf(RangeError);
    });
  });
}
