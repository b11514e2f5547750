import type { Clock } from '@sotto/kernel';
import { NO_CITATION, citationOf, type Citation } from '../domain/quote-citation.js';
import { QuoteExpired, QuoteUnknown, QuoteUsed } from '../../errors.js';
import type { QuoteStore } from '../ports/quote-store.port.js';

/** Finds and redeems the quotes that withdrawals cite. */
export class QuoteRedemption {
  constructor(
    private readonly store: QuoteStore,
    private readonly clock: Clock,
  ) {}

  /** Returns the current state of a cited quote without redeeming it. */
  async poll(quoteId: string | undefined): Promise<Citation> {
    return quoteId === undefined
      ? NO_CITATION
      : citationOf(await this.store.find(quoteId), this.clock.nowMs());
  }

  /**
   * Redeems the quote permanently for the withdrawal under `key`.
   * @throws QuoteUnknown, QuoteExpired, QuoteUsed
   */
  async redeem(quoteId: string, key: string): Promise<void> {
    const { kind } = await this.store.redeem(quoteId, key, this.clock.nowMs());
    switch (kind) {
      case 'redeemed':
        return;
      case 'unknown':
        throw new QuoteUnknown();
      case 'expired':
        throw new QuoteExpired();
      case 'used':
        throw new QuoteUsed();
    }
  }
}
