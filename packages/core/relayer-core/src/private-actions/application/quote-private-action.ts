import { CODES_OF } from '@sotto/facts';
import { Cached, UNNAMED_CALLER, settle, type Caller, type Clock, type Felt } from '@sotto/kernel';
import type { FeeTokenPrices, MarketPrices, PoolToken } from '@sotto/market-core';
import { usedFri, type LatestBlock } from '@sotto/submission-core';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import { recommendedFee } from '../../fees/domain/fee.js';
import { servedPool, type PrivacyPool } from '../../pools/domain/pool.js';
import {
  chargedFri,
  inFeeToken,
  rounded,
  type PrivateActionFeeMode,
} from '../domain/private-action-cost.js';
import { FeeTokenNotServed } from '../domain/private-action-errors.js';
import { sponsorOf } from '../domain/sponsors.js';
import type { PrivacyPoolFacts, PrivacyPoolReader } from '../ports/privacy-pool-reader.port.js';
import type { PrivateActionPolicy } from './private-action-admission.js';
import { poolFeeRejection } from './private-action-checks.js';
import type { PromisedFees } from './promised-fees.js';

const FRI_PER_STRK = 10n ** 18n;
/** Time for which the pool's own fee is cached, in milliseconds. */
const POOL_FRESH_MS = 5_000;

/**
 * L2 gas that is assumed for calls of the user's account: a signature and an approval. The
 * simulation of the whole transaction shows the actual gas.
 */
const OUTSIDE_L2_GAS = 10_000_000n;

export interface QuotePrivateActionInput {
  readonly poolAddress: Felt;
  /** Token of the fee. */
  readonly token: Felt;
  /** @default default */
  readonly feeMode?: PrivateActionFeeMode;
  readonly sponsorKey?: string;
  /** True if calls of the user's account run before the actions. @default false */
  readonly isWithOutsideCalls?: boolean;
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
}

/** Fee that private actions have to pay, and its components. */
export interface PrivateActionQuote {
  readonly token: Felt;
  /** Price of one whole token, in fri. */
  readonly tokenPriceFri: bigint;
  /** Estimated cost that the fee has to cover in this mode, in fri. */
  readonly costFri: bigint;
  /** The same in the token's smallest unit, rounded up. */
  readonly costAmount: bigint;
  /** Suggested fee in fri: the cost with the margin, rounded up. */
  readonly feeFri: bigint;
  /** The same in the token's smallest unit; 0 if a sponsor pays the whole cost. */
  readonly feeAmount: bigint;
  /** Address that the fee is paid to. */
  readonly recipient: Felt;
}

/** Token in which fees of private actions can be paid. */
export interface FeeToken extends Pick<PoolToken, 'address' | 'decimals'> {
  /** Price of one whole token, in fri. */
  readonly priceFri: bigint;
}

export interface QuotePorts {
  readonly pools: PrivacyPoolReader;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly marketPrices: Pick<MarketPrices, 'forFees'>;
  readonly guard: Pick<PoolCircuitBreaker, 'peek'>;
  readonly promised: Pick<PromisedFees, 'give'>;
  readonly clock: Clock;
}

export interface QuotePolicy extends Pick<
  PrivateActionPolicy,
  'pools' | 'strk' | 'sponsors' | 'gas' | 'feeAddress' | 'maxPoolFeeFri'
> {
  /** Margin added to the cost, in percent. */
  readonly marginPercent: bigint;
}

/** Quotes the fee of private actions. The fee holds for a minute. */
export class QuotePrivateAction {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.privateActionQuote;

  readonly #pools: Cached<PrivacyPoolFacts>;

  constructor(
    private readonly ports: QuotePorts,
    private readonly policy: QuotePolicy,
  ) {
    this.#pools = new Cached({ clock: ports.clock, freshMs: POOL_FRESH_MS });
  }

  /**
   * Returns the fee, and promises to accept it from this caller's network for one transaction
   * within {@link PROMISE_MS}, as long as the cost in the fee's token does not rise by more than
   * half.
   * @throws PoolNotSupported, FeeTokenNotServed, SponsorUnknown, TooManyQuotes, PriceUnavailable,
   *   an error of the circuit breaker, or of a read
   */
  async execute({
    poolAddress,
    token: address,
    feeMode = 'default',
    sponsorKey,
    isWithOutsideCalls = false,
    caller = UNNAMED_CALLER,
  }: QuotePrivateActionInput): Promise<PrivateActionQuote> {
    const { sponsors, feeAddress: recipient, marginPercent, gas } = this.policy;
    const pool = servedPool(this.policy.pools, poolAddress);
    if (feeMode !== 'default') sponsorOf(sponsors, sponsorKey);
    const token = pool.tokens.find((served) => served.address === address);
    if (token === undefined) throw new FeeTokenNotServed();
    const [gate, gasPrices, pricesIn, { feeFri: poolFeeFri }] = await Promise.all([
      this.ports.guard.peek(pool, 'relay'),
      this.ports.latestBlock.gasPrices(),
      this.ports.marketPrices.forFees(),
      this.#read(pool),
    ]);
    const rejection = gate ?? poolFeeRejection(poolFeeFri, this.policy.maxPoolFeeFri);
    if (rejection !== null) throw rejection;
    const { l2Gas, ...otherGas } = gas(pool.address);
    const outsideGas = isWithOutsideCalls ? OUTSIDE_L2_GAS : 0n;
    const gasFri = usedFri({ ...otherGas, l2Gas: l2Gas + outsideGas }, gasPrices);
    const cost = { ...pricesIn(token.symbol), token, gasFri, poolFeeFri };
    const costFri = chargedFri(feeMode, cost);
    const costAmount = inFeeToken(costFri, cost);
    // In the other modes the official client always pays a fee, which must be above 0.
    const feeAmount =
      feeMode === 'sponsored' ? 0n : rounded(recommendedFee(costAmount, marginPercent));
    if (feeAmount > 0n) {
      const use = { pool: pool.address, token: address, feeMode };
      this.ports.promised.give(caller, use, { amount: feeAmount, costAmount });
    }
    const tokenPriceFri = priceOf(cost);
    return {
      token: address,
      tokenPriceFri,
      costFri,
      costAmount,
      feeFri: (feeAmount * tokenPriceFri) / 10n ** BigInt(token.decimals),
      feeAmount,
      recipient,
    };
  }

  /**
   * Returns the tokens in which fees can be paid, each once. Tokens without a price are left out.
   * Rejects with PriceUnavailable if no source of prices answers.
   */
  async tokens(): Promise<readonly FeeToken[]> {
    const pricesIn = await this.ports.marketPrices.forFees();
    const tokens = new Map(
      this.policy.pools.flatMap((pool) => pool.tokens).map((token) => [token.address, token]),
    );
    const priced = await Promise.all(
      [...tokens.values()].map(async (token) => ({
        token,
        prices: await settle(Promise.resolve(token.symbol).then(pricesIn)),
      })),
    );
    return priced.flatMap(({ token: { address, decimals }, prices }) =>
      prices.known ? [{ address, decimals, priceFri: priceOf(prices.value) }] : [],
    );
  }

  /** Returns true if a pool accepts private actions now. */
  async isAvailable(): Promise<boolean> {
    const states = await Promise.all(
      this.policy.pools.map(async (pool) => {
        const [gate, facts] = await Promise.all([
          settle(this.ports.guard.peek(pool, 'relay')),
          settle(this.#read(pool)),
        ]);
        return gate.known && gate.value === null && facts.known && !facts.value.isPaused;
      }),
    );
    return states.includes(true);
  }

  #read({ address }: PrivacyPool): Promise<PrivacyPoolFacts> {
    return this.#pools.get(address, () =>
      this.ports.pools.facts(address, { baseBlockNumber: null, addresses: [] }),
    );
  }
}

/** Returns the price of one whole token in fri, rounded down. */
function priceOf({ strkUsdE8, feeTokenUsdE8 }: FeeTokenPrices): bigint {
  return (feeTokenUsdE8 * FRI_PER_STRK) / strkUsdE8;
}
