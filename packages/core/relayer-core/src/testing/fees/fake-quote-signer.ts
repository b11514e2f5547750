import { createHmac, randomBytes } from 'node:crypto';
import { FIELD_PRIME, toFelt, type DomainError, type Felt } from '@sotto/kernel';
import type { FeeQuote, SignedFeeQuote } from '../../fees/domain/fee-quote.js';
import { feeQuoteTypedData } from '../../fees/domain/fee-quote-typed-data.js';
import type { QuoteSigner } from '../../fees/ports/quote-signer.port.js';
import { FakeUpstreamDown } from '../relay/fake-upstream-down.js';

/**
 * Signs the typed data of quotes with a key that only it has; no curve is involved, so only it can
 * verify.
 */
export class FakeQuoteSigner implements QuoteSigner {
  readonly #key = randomBytes(32);
  readonly #account = toFelt('0x51');
  #failure: DomainError | null = null;

  /** Every signature rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('no key to sign with')): void {
    this.#failure = failure;
  }

  async sign(quote: FeeQuote): Promise<SignedFeeQuote> {
    if (this.#failure !== null) throw this.#failure;
    return { ...quote, signature: this.#signature(quote), signer: this.#account };
  }

  /** Whether it signed exactly this. */
  verifies({ signature: [r, s], signer, ...quote }: SignedFeeQuote): boolean {
    const [expectedR, expectedS] = this.#signature(quote);
    return signer === this.#account && r === expectedR && s === expectedS;
  }

  #signature(quote: FeeQuote): readonly [r: Felt, s: Felt] {
    const signed = JSON.stringify([this.#account, feeQuoteTypedData(quote)]);
    const half = (name: string): Felt => {
      const digest = createHmac('sha256', this.#key).update(`${name}|${signed}`).digest('hex');
      return toFelt(BigInt(`0x${digest}`) % FIELD_PRIME);
    };
    return [half('r'), half('s')];
  }
}
