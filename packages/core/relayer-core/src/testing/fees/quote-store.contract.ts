import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt } from '@sotto/kernel';
import type { FeeQuote } from '../../fees/domain/fee-quote.js';
import type { QuoteStore } from '../../fees/ports/quote-store.port.js';

export interface QuoteStoreHarness {
  /** Quote store under test, without any quote at the start. */
  readonly subject: QuoteStore;
  /** Opens another instance on the same store, as after a restart. */
  reopen(): Promise<QuoteStore>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const EXPIRES_AT_MS = 1_760_000_120_000;
const BEFORE = EXPIRES_AT_MS - 1;

function aQuote(changes: Partial<FeeQuote> = {}): FeeQuote {
  return {
    id: 'quote-1',
    chainId: toFelt('0x534e5f5345504f4c4941'),
    pool: toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33'),
    relayer: toFelt('0xfee'),
    feeAmount: 26n,
    expiresAtMs: EXPIRES_AT_MS,
    operation: 'withdraw',
    leafIndex: null,
    ...changes,
  };
}

export function describeQuoteStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<QuoteStoreHarness>,
): void {
  describe(`QuoteStore contract (${name})`, () => {
    let harness: QuoteStoreHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns a quote only for its exact id', async () => {
      const { subject } = harness;
      const quote = aQuote({ feeAmount: 2n ** 256n - 1n });
      await subject.add(quote);
      expect(await subject.find(quote.id)).toEqual(quote);
      expect(await subject.find('quote-2')).toBeNull();
      expect(await subject.find('Quote-1')).toBeNull();
    });

    it.each([
      ['a note of the swap pool', { leafIndex: 1_023 }],
      ['a private swap', { operation: 'private_swap' }],
      ['a withdrawal with STRK for its recipient', { recipientGasFri: 10n ** 19n }],
    ] as const)('stores the purpose of a quote: %s', async (_what, use) => {
      const { subject } = harness;
      await subject.add(aQuote(use));
      expect(await subject.find('quote-1')).toEqual(aQuote(use));
      expect(await subject.redeem('quote-1', 'key-a', BEFORE)).toEqual({
        kind: 'redeemed',
        quote: aQuote(use),
      });
    });

    it('rejects a second quote with the same id', async () => {
      const { subject } = harness;
      await subject.add(aQuote());
      await expect(subject.add(aQuote({ feeAmount: 1n }))).rejects.toBeInstanceOf(Error);
      expect(await subject.find('quote-1')).toEqual(aQuote());
    });

    it('redeems a quote repeatedly for the same withdrawal, but not for another withdrawal', async () => {
      const { subject } = harness;
      await subject.add(aQuote());
      expect(await subject.redeem('quote-1', 'key-a', BEFORE)).toEqual({
        kind: 'redeemed',
        quote: aQuote(),
      });
      expect(await subject.redeem('quote-1', 'key-b', BEFORE)).toEqual({ kind: 'used' });
      expect(await subject.redeem('quote-1', 'key-a', BEFORE)).toEqual({
        kind: 'redeemed',
        quote: aQuote(),
      });
      expect(await subject.find('quote-1')).toEqual(aQuote());
    });

    it('a quote can be redeemed although a different quote was redeemed for another withdrawal', async () => {
      const { subject } = harness;
      const other = aQuote({ id: 'quote-2', feeAmount: 30n });
      await subject.add(aQuote());
      await subject.add(other);
      await subject.redeem('quote-1', 'key-a', BEFORE);
      expect(await subject.redeem('quote-2', 'key-b', BEFORE)).toEqual({
        kind: 'redeemed',
        quote: other,
      });
    });

    it('reports `unknown` for a quote that was never added', async () => {
      expect(await harness.subject.redeem('quote-1', 'key-a', BEFORE)).toEqual({ kind: 'unknown' });
    });

    it('rejects an expired quote, unless the same withdrawal redeemed the quote before the expiry', async () => {
      const { subject } = harness;
      await subject.add(aQuote());
      await subject.add(aQuote({ id: 'quote-2' }));
      expect(await subject.redeem('quote-1', 'key-a', EXPIRES_AT_MS)).toEqual({ kind: 'expired' });
      expect(await subject.redeem('quote-1', 'key-a', EXPIRES_AT_MS)).toEqual({ kind: 'expired' });
      expect(await subject.redeem('quote-2', 'key-a', BEFORE)).toMatchObject({ kind: 'redeemed' });
      expect(await subject.redeem('quote-2', 'key-a', EXPIRES_AT_MS + 1)).toMatchObject({
        kind: 'redeemed',
      });
      expect(await subject.redeem('quote-2', 'key-b', EXPIRES_AT_MS + 1)).toEqual({ kind: 'used' });
    });

    it('redeems a quote for only one of many concurrent withdrawals', async () => {
      const { subject } = harness;
      await subject.add(aQuote());
      const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
      const redemptions = await Promise.all(
        keys.map((key) => subject.redeem('quote-1', key, BEFORE)),
      );
      expect(redemptions.map(({ kind }) => kind).toSorted()).toEqual([
        'redeemed',
        ...keys.slice(1).map(() => 'used'),
      ]);
    });

    it('deletes expired quotes and returns their number; used and unused quotes have separate deadlines', async () => {
      const { subject } = harness;
      await subject.add(aQuote());
      await subject.add(aQuote({ id: 'quote-2' }));
      await subject.add(aQuote({ id: 'quote-3', expiresAtMs: EXPIRES_AT_MS + 1_000 }));
      await subject.redeem('quote-2', 'key-a', BEFORE);
      const [at, after] = [EXPIRES_AT_MS, EXPIRES_AT_MS + 1_000];
      expect(await subject.forget({ usedMs: at, unusedMs: at })).toBe(0);
      expect(await subject.forget({ usedMs: at, unusedMs: after })).toBe(1);
      expect(await subject.find('quote-1')).toBeNull();
      expect(await subject.redeem('quote-2', 'key-a', after)).toMatchObject({ kind: 'redeemed' });
      expect(await subject.forget({ usedMs: after, unusedMs: after })).toBe(1);
      expect(await subject.redeem('quote-2', 'key-a', BEFORE)).toEqual({ kind: 'unknown' });
      expect(await subject.find('quote-3')).toMatchObject({ id: 'quote-3' });
    });

    it('quotes and their uses are still stored after a restart', async () => {
      await harness.subject.add(aQuote());
      await harness.subject.add(aQuote({ id: 'quote-2' }));
      await harness.subject.redeem('quote-1', 'key-a', BEFORE);
      const reopened = await harness.reopen();
      expect(await reopened.redeem('quote-1', 'key-b', BEFORE)).toEqual({ kind: 'used' });
      expect(await reopened.redeem('quote-2', 'key-b', BEFORE)).toMatchObject({ kind: 'redeemed' });
    });

    it('calls of the quote store reject with an error if the store does not respond', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.add(aQuote())).rejects.toBeInstanceOf(DomainError);
      await expect(subject.find('quote-1')).rejects.toBeInstanceOf(DomainError);
      await expect(subject.redeem('quote-1', 'key-a', BEFORE)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.forget({ usedMs: BEFORE, unusedMs: BEFORE })).rejects.toBeInstanceOf(
        DomainError,
      );
    });
  });
}
