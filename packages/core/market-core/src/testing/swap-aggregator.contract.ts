import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt, type Felt } from '@sotto/kernel';
import { checkBuiltSwap } from '../domain/built-swap.js';
import type {
  BuiltSwap,
  SwapAggregator,
  SwapQuote,
  SwapQuoteRequest,
} from '../ports/swap-aggregator.port.js';

/**
 * Behaviour of the staged aggregator until a test sets another state.
 * - `quotes`: quotes and builds, with several quotes per request.
 * - `no_quotes`: has no route.
 * - `expired_once`: existing quotes are unknown when they are built; quotes that are requested
 *   afterwards can be built.
 * - `slippage_too_tight`, `no_liquidity`: quotes, but builds fail for this reason.
 * - `down`: is unavailable. `malformed`: returns neither a valid quote nor a valid build.
 */
export type SwapAggregatorState =
  | 'quotes'
  | 'no_quotes'
  | 'expired_once'
  | 'slippage_too_tight'
  | 'no_liquidity'
  | 'down'
  | 'malformed';

export interface SwapAggregatorHarness {
  /** Aggregator in state `quotes`. */
  readonly subject: SwapAggregator;
  readonly sellToken: Felt;
  readonly buyToken: Felt;
  readonly router: Felt;
  stage(state: SwapAggregatorState): Promise<void>;
  stop(): Promise<void>;
}

const TAKER = toFelt('0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72');
const SELL_AMOUNT = 19_850n;
const SLIPPAGE_PPM = 12_500;

export interface SwapAggregatorContractOptions {
  /** Failures of a build that the subject's environment can't simulate. @default none */
  readonly cannotStage?: readonly ('slippage_too_tight' | 'no_liquidity')[];
}

export function describeSwapAggregatorContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SwapAggregatorHarness>,
  { cannotStage = [] }: SwapAggregatorContractOptions = {},
): void {
  describe(`SwapAggregator contract (${name})`, () => {
    let harness: SwapAggregatorHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    const request = (): SwapQuoteRequest => {
      const { sellToken, buyToken } = harness;
      return { sellToken, buyToken, sellAmount: SELL_AMOUNT, taker: TAKER };
    };
    const best = async (): Promise<SwapQuote> => {
      const [quote] = await harness.subject.quotes(request());
      if (quote === undefined) throw new Error('the harness stages quotes');
      return quote;
    };
    const build = (quoteId: string): Promise<BuiltSwap> =>
      harness.subject.build({ quoteId, taker: TAKER, slippagePpm: SLIPPAGE_PPM });

    it('returns quotes that match the request exactly, best quote first', async () => {
      const quotes = await harness.subject.quotes(request());
      const { sellToken, buyToken } = harness;
      expect(quotes.length).toBeGreaterThan(1);
      for (const quote of quotes)
        expect(quote).toMatchObject({ sellToken, buyToken, sellAmount: SELL_AMOUNT });
      const amounts = quotes.map(({ buyAmount }) => buyAmount);
      expect(amounts).toEqual(amounts.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      expect(amounts.every((amount) => amount > 0n)).toBe(true);
      expect(new Set(quotes.map(({ quoteId }) => quoteId)).size).toBe(quotes.length);
    });

    it('returns no quotes if there is no route', async () => {
      await harness.stage('no_quotes');
      expect(await harness.subject.quotes(request())).toEqual([]);
    });

    it('builds an approval and a swap that match the quote', async () => {
      const quote = await best();
      const built = await build(quote.quoteId);
      if (built.kind !== 'built') throw new Error(`not built: ${built.kind}`);
      const checked = checkBuiltSwap(built.calls, {
        ...request(),
        quotedAmount: quote.buyAmount,
        slippagePpm: SLIPPAGE_PPM,
        floor: 1n,
        routers: new Set([harness.router]),
        allowBranchRoutes: true,
      });
      expect(checked.minimumOut).toBeLessThanOrEqual(quote.buyAmount);
    });

    it('builds the swap of a new quote after the first quote has expired', async () => {
      const old = await best();
      await harness.stage('expired_once');
      expect(await build(old.quoteId)).toEqual({ kind: 'quote_expired' });
      expect(await build((await best()).quoteId)).toMatchObject({ kind: 'built' });
    });

    for (const kind of ['slippage_too_tight', 'no_liquidity'] as const) {
      (cannotStage.includes(kind) ? it.skip : it)(
        `reports that a build fails for ${kind}`,
        async () => {
          await harness.stage(kind);
          expect(await build((await best()).quoteId)).toEqual({ kind });
        },
      );
    }

    it.each(['down', 'malformed'] as const)(
      'rejects with a DomainError while the aggregator’s state is %s',
      async (state) => {
        const { quoteId } = await best();
        await harness.stage(state);
        await expect(harness.subject.quotes(request())).rejects.toBeInstanceOf(DomainError);
        await expect(build(quoteId)).rejects.toBeInstanceOf(DomainError);
      },
    );
  });
}
