import type { Clock, Logger } from '@sotto/kernel';
import type { FairValues, ListPools } from '@sotto/relayer-core';
import {
  DEFAULT_SLIPPAGE_PPM,
  MAX_SLIPPAGE_PPM,
  leavesLeft,
  type ListedPool,
  type ListedSwapPool,
  type PoolToken,
} from '@sotto/relayer-core';
import { z } from 'zod';
import type { HttpPolicy } from '../../../composition/bindings.js';
import { describeRoute, type Route, type RouteHandler } from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { ResponseCache } from '../../response-cache.js';
import {
  AmountText,
  EXAMPLE_POOL,
  EXAMPLE_SWAP_POOL,
  PauseReason,
  PausedFor,
} from '../../schemas.js';
import {
  DENOMINATION_UNIT,
  presentationOf,
  presentedDenomination,
} from '../../told-denomination.js';

const PPM = 1_000_000;
const BPS = 10_000;

const UNREAD = 'Null while it can’t be read.';

const Pool = z
  .object({
    key: z.string().meta({ description: 'Its name in the relayer’s profile.' }),
    address: z.string(),
    kind: z.enum(['withdraw', 'swap_input', 'stable']).meta({
      description:
        'What is done with its notes: private swaps start from swap_input only, and all may be withdrawn.',
    }),
    token: z.object({ symbol: z.string(), address: z.string(), decimals: z.int() }),
    batchSizes: z
      .array(z.int())
      .meta({ description: 'Counts that a batch may have unless it is partial.' }),
    denomination: AmountText.nullable().meta({
      description: `Fixed deposit size: ${DENOMINATION_UNIT}. ${UNREAD}`,
    }),
    denominationAmount: AmountText.nullable().meta({
      description: `The same in the token’s smallest unit. ${UNREAD}`,
    }),
    undeployedCount: z
      .int()
      .nullable()
      .meta({ description: `Deposits that wait for their batch. ${UNREAD}` }),
    leavesLeft: z
      .int()
      .nullable()
      .meta({
        description: `Deposits that its tree still takes, for ever; relayed ones end before the last. ${UNREAD}`,
      }),
    maxFeeBps: z.int().nullable().meta({ description: UNREAD }),
    maxFee: AmountText.nullable().meta({
      description: `Most that a relayer may take, in the token’s smallest unit. ${UNREAD}`,
    }),
    fee: AmountText.nullable().meta({
      description:
        'Fee to put into a proof now, in the token’s smallest unit. Null while prices or the pool can’t be read.',
    }),
    accepting: z
      .boolean()
      .nullable()
      .meta({ description: `Whether withdrawals begin in it now. ${UNREAD}` }),
    pausedFor: PausedFor,
    reason: PauseReason,
  })
  .meta({ id: 'Pool' });

const Token = z.object({ symbol: z.string(), address: z.string(), decimals: z.int() });

const SwapOutputs = z
  .object({
    key: z.string(),
    address: z.string(),
    kind: z
      .literal('swap_output')
      .meta({ description: 'Its notes hold what a swap brought, and are withdrawn.' }),
    tokens: z
      .array(Token)
      .meta({ description: 'What its notes may hold, and their fees be paid in.' }),
    activeDeposits: z
      .int()
      .nullable()
      .meta({ description: `Notes that have not been withdrawn. ${UNREAD}` }),
    totalSwaps: z
      .int()
      .nullable()
      .meta({ description: `Private swaps ever made. ${UNREAD}` }),
    nextIndex: z
      .int()
      .nullable()
      .meta({ description: `Leaf of the next note. ${UNREAD}` }),
    maxFeeBps: z
      .int()
      .nullable()
      .meta({
        description: `Most that a relayer may take of a note, in hundredths of a percent. ${UNREAD}`,
      }),
    accepting: z
      .boolean()
      .nullable()
      .meta({ description: `Whether withdrawals begin in it now. ${UNREAD}` }),
    pausedFor: PausedFor,
    reason: PauseReason,
  })
  .meta({ id: 'SwapOutputs' });

const Pools = z
  .object({
    chainId: z.string(),
    relayer: z.string().meta({ description: 'The address that a proof must name as its relayer.' }),
    pools: z.array(Pool),
    swapOutputs: SwapOutputs.nullable().meta({
      description:
        'The pool that private swaps leave their notes in: it has no denomination, so `pools` does not contain it. Null without a swap pool.',
    }),
    privateSwap: z
      .object({
        swapPool: z.string().meta({
          description: 'The address that the proof of a private swap must name as its recipient.',
        }),
        outputTokens: z
          .array(z.object({ symbol: z.string(), address: z.string(), decimals: z.int() }))
          .meta({ description: 'Tokens to swap into: those that have two independent prices.' }),
        defaultSlippage: z.number(),
        minSlippage: z.number(),
        maxSlippage: z.number(),
        maxPriceImpact: z
          .number()
          .meta({ description: 'How far a swap may fall short of its fair value, as a fraction.' }),
      })
      .nullable()
      .meta({ description: 'Null when this relayer does not swap.' }),
  })
  .meta({ id: 'Pools' });

const pools = describeRoute({
  method: 'get',
  path: '/api/relayer/pools',
  operationId: 'listPools',
  summary: 'The pools that this relayer serves',
  description:
    'What a wallet needs to know to make a proof. Returns what is configured even while the chain can’t be read.',
  tag: 'relayer',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'In the order of the relayer’s profile',
      schema: Pools,
      examples: {
        pools: {
          summary: 'One pool',
          value: {
            chainId: '0x534e5f4d41494e',
            relayer: '0x7a1e5f',
            pools: [
              {
                key: 'sentinel_1x',
                address: EXAMPLE_POOL,
                kind: 'withdraw',
                token: {
                  symbol: 'WBTC',
                  address: '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
                  decimals: 8,
                },
                batchSizes: [3, 5, 7],
                denomination: '20000',
                denominationAmount: '20000',
                undeployedCount: 2,
                leavesLeft: 1006,
                maxFeeBps: 500,
                maxFee: '1000',
                fee: '166',
                accepting: true,
                pausedFor: null,
                reason: null,
              },
            ],
            swapOutputs: {
              key: 'swap_pool',
              address: EXAMPLE_SWAP_POOL,
              kind: 'swap_output',
              tokens: [
                {
                  symbol: 'ETH',
                  address: '0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
                  decimals: 18,
                },
              ],
              activeDeposits: 4,
              totalSwaps: 13,
              nextIndex: 13,
              maxFeeBps: 500,
              accepting: true,
              pausedFor: null,
              reason: null,
            },
            privateSwap: null,
          },
        },
      },
    },
  },
  kept: { cacheControl: 'public, max-age=5', freshMs: 500, staleMs: 5_000 },
  errors: ERRORS_OF.pools,
});

/** `GET /api/relayer/pools`. */
export class PoolsRoute implements Route {
  static readonly definition = pools;
  readonly definition = pools;
  readonly kept: ResponseCache<typeof pools, null>;
  readonly handler: RouteHandler;

  constructor(
    private readonly listPools: ListPools,
    private readonly fairValues: FairValues,
    private readonly policy: HttpPolicy,
    clock: Clock,
    logger: Logger,
  ) {
    this.kept = new ResponseCache(
      pools,
      { ask: () => null, answer: () => this.#answer() },
      { clock, logger },
    );
    this.handler = this.kept.handler;
  }

  async #answer(): Promise<z.input<typeof Pools>> {
    const [{ chainId, feeAddress, pools: listed, swapOutputs }, outputTokens] = await Promise.all([
      this.listPools.execute(),
      this.fairValues.offered(),
    ]);
    const { swap } = this.policy;
    return {
      chainId,
      relayer: feeAddress,
      pools: listed.map((pool) => this.#toPoolDto(pool)),
      swapOutputs: swapOutputs === null ? null : toSwapOutputsDto(swapOutputs),
      privateSwap: swap === null ? null : swapFacts(swap, outputTokens),
    };
  }

  #toPoolDto({
    key,
    address,
    token,
    batchSizes,
    status,
    feeAmount,
    ...openness
  }: ListedPool): z.input<typeof Pool> {
    return {
      key,
      address,
      kind: presentationOf(this.policy, address).kind,
      token,
      batchSizes: [...batchSizes],
      denomination:
        status === null
          ? null
          : String(presentedDenomination(this.policy, address, status.denomination)),
      denominationAmount: text(status?.denomination),
      undeployedCount: status?.undeployedCount ?? null,
      leavesLeft: status === null ? null : leavesLeft(status.nextIndex, 0),
      maxFeeBps: status?.maxFeeBps ?? null,
      maxFee: text(status?.maxFee),
      fee: text(feeAmount),
      accepting: openness.accepting,
      pausedFor: openness.pausedFor,
      reason: openness.reason,
    };
  }
}

function toSwapOutputsDto({
  key,
  address,
  kind,
  tokens,
  figures,
  accepting,
  pausedFor,
  reason,
}: ListedSwapPool): z.input<typeof SwapOutputs> {
  const {
    activeDeposits = null,
    totalSwaps = null,
    nextIndex = null,
    maxFeeBps = null,
  } = figures ?? {};
  const state = { activeDeposits, totalSwaps, nextIndex, maxFeeBps, accepting, pausedFor, reason };
  return { key, address, kind, tokens: tokens.map((token) => ({ ...token })), ...state };
}

function swapFacts(
  { swapPool, minSlippagePpm, maxPriceImpactBps }: NonNullable<HttpPolicy['swap']>,
  outputTokens: readonly PoolToken[],
) {
  return {
    swapPool,
    outputTokens: [...outputTokens],
    defaultSlippage: DEFAULT_SLIPPAGE_PPM / PPM,
    minSlippage: minSlippagePpm / PPM,
    maxSlippage: MAX_SLIPPAGE_PPM / PPM,
    maxPriceImpact: maxPriceImpactBps / BPS,
  };
}

function text(amount: bigint | null | undefined): string | null {
  return amount === undefined || amount === null ? null : String(amount);
}
