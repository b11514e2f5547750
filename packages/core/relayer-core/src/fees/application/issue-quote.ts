import { CODES_OF } from '@sotto/facts';
import { UNNAMED_CALLER, type Caller, type Clock, type Felt } from '@sotto/kernel';
import type { FeeEstimate } from '../domain/fee-estimate.js';
import { feeQuoteTypedData, type FeeQuote, type SignedFeeQuote } from '../domain/fee-quote.js';
import { unprofitable } from '../domain/unprofitable.js';
import { servedPool, type NotePool } from '../../pools/domain/pool.js';
import type { QuoteStore } from '../ports/quote-store.port.js';
import type { TypedDataSigner } from '../../relay/ports/typed-data-signer.port.js';
import type { EstimateFee, EstimatedUse } from './estimate-fee.js';
import type { OutstandingQuotes } from './outstanding-quotes.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';

export interface QuoteTerms {
  readonly chainId: Felt;
  readonly pools: readonly NotePool[];
  /** Address that earns the fees. A proof must contain this address as its relayer. */
  readonly feeAddress: Felt;
  /** Validity of a quote, in milliseconds. The expiry is rounded down to a whole second. */
  readonly ttlMs: number;
  /** Creates the public id of a quote. Ids must be unguessable. */
  readonly newId: () => string;
}

export interface IssuedQuote {
  readonly quote: SignedFeeQuote;
  /** Maximum fee of the pool, in the unit in which the fee is quoted. */
  readonly maxFeeAmount: bigint;
  /** Estimate with the components of the fee. */
  readonly estimate: FeeEstimate;
}

interface QuoteInput extends EstimatedUse {
  readonly poolAddress: Felt;
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
}

/**
 * Commits the relayer to a fee for one withdrawal or private swap from a pool. The fee is valid
 * until the quote expires, regardless of price changes.
 */
export class IssueQuote {
  /** Error codes of the API route for quotes. */
  static readonly throws = CODES_OF.quote;

  constructor(
    private readonly estimateFee: Pick<EstimateFee, 'execute'>,
    private readonly signer: TypedDataSigner,
    private readonly store: QuoteStore,
    private readonly guard: Pick<PoolCircuitBreaker, 'peek'>,
    private readonly outstanding: Pick<OutstandingQuotes, 'take'>,
    private readonly clock: Clock,
    private readonly terms: QuoteTerms,
  ) {}

  /**
   * Stores and returns a signed quote.
   * @throws the errors of an estimate; WithdrawalUnprofitable if the pool's maximum fee does not
   *   cover the cost, because quotes are never below cost; PoolPaused or BudgetExhausted, because
   *   the relayer could not fulfil the quote; TooManyQuotes
   */
  async execute({
    poolAddress,
    caller = UNNAMED_CALLER,
    operation = 'withdraw',
    leafIndex = null,
    recipientGasFri = 0n,
  }: QuoteInput): Promise<IssuedQuote> {
    const estimate = await this.estimateFee.execute(poolAddress, {
      operation,
      leafIndex,
      recipientGasFri,
    });
    if (estimate.pool === null) throw new Error('an estimate for a pool leaves the pool out');
    const rejection =
      unprofitable(estimate.costAmount, estimate.pool.maxFee) ??
      (await this.guard.peek(servedPool(this.terms.pools, poolAddress), 'relay'));
    if (rejection !== null) throw rejection;

    const takeBack = this.outstanding.take(caller);
    try {
      return await this.#give(
        {
          pool: poolAddress,
          operation,
          leafIndex,
          ...(recipientGasFri === 0n ? {} : { recipientGasFri }),
        },
        estimate,
        estimate.pool.maxFee,
      );
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  async #give(
    wanted: Pick<FeeQuote, 'pool' | 'operation' | 'leafIndex' | 'recipientGasFri'>,
    estimate: FeeEstimate,
    maxFeeAmount: bigint,
  ): Promise<IssuedQuote> {
    const quote: FeeQuote = {
      id: this.terms.newId(),
      chainId: this.terms.chainId,
      ...wanted,
      relayer: this.terms.feeAddress,
      feeAmount: estimate.feeAmount,
      expiresAtMs: wholeSecond(this.clock.nowMs() + this.terms.ttlMs),
    };
    const signature = await this.signer.sign(feeQuoteTypedData(quote));
    await this.store.add(quote);
    return { quote: { ...quote, ...signature }, maxFeeAmount, estimate };
  }
}

/**
 * Rounds a time down to a whole second. Typed data contains seconds, and the quoted, stored and
 * signed expiry must be equal.
 */
const wholeSecond = (ms: number): number => ms - (ms % 1_000);
