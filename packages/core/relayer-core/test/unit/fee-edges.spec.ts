import { describe, expect, it } from '@jest/globals';
import { IssueQuote, QuoteRedemption } from '../../src/index.js';
import { wholeNumber } from '../../src/fees/domain/fee-estimate-reply.js';
import { agreePrice } from '@sotto/market-core';
import { anEstimateWorld } from '../support/estimate-world.js';
import { NOW_MS, aWorld, policy, pool } from '../support/world.js';

describe('a quote', () => {
  it('issues no quote from a fee estimate that was made without a pool', async () => {
    const { estimateFee, signer, quoteStore, guarding, outstanding, clock } = anEstimateWorld();
    const { chainId, feeAddress } = policy;
    const forNoPool = { execute: async () => estimateFee.execute(null) };
    const terms = { chainId, feeAddress, pools: [pool], ttlMs: 120_000, newId: () => 'quote-a' };
    const subject = new IssueQuote(
      forNoPool,
      signer,
      quoteStore,
      guarding.guard,
      outstanding,
      clock,
      terms,
    );
    await expect(subject.execute({ poolAddress: pool.address })).rejects.toThrow(
      'leaves the pool out',
    );
    expect(await quoteStore.find('quote-a')).toBeNull();
  });

  it('rejects a quote with QUOTE_UNKNOWN if it was never issued, or was deleted before its use', async () => {
    const { quoteStore, clock } = aWorld();
    await expect(
      new QuoteRedemption(quoteStore, clock).redeem('gone', 'key'),
    ).rejects.toMatchObject({ code: 'QUOTE_UNKNOWN' });
  });
});

describe('a price', () => {
  it('a price is unavailable if there is no source, even if the quorum is 0', () => {
    const limits = { maxAgeMs: 1, maxDeviationBps: 1, quorum: 0 };
    expect(() => agreePrice('STRK', [], limits, NOW_MS)).toThrow(
      expect.objectContaining({ code: 'PRICE_UNAVAILABLE' }),
    );
  });
});

describe('an integer of a reply', () => {
  it('throws for a negative integer in a reply', () => {
    expect(wholeNumber(0n)).toBe(0);
    expect(() => wholeNumber(-1n)).toThrow(RangeError);
  });

  it('returns only integers that a double represents exactly, and throws for larger integers', () => {
    expect(wholeNumber(2n ** 53n - 1n)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => wholeNumber(2n ** 53n)).toThrow(RangeError);
  });
});
