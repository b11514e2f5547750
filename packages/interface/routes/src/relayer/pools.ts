import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from '../definition.js';
import {
  AmountText,
  DENOMINATION_UNIT,
  EXAMPLE_POOL,
  EXAMPLE_SWAP_POOL,
  FeltText,
  PauseReason,
  PausedFor,
} from '../schemas.js';

/** Name of the withdrawal circuit. */
export const CIRCUIT = 'withdraw-10' as const;

/** Public inputs of the withdrawal circuit, in the sequence of a proof's calldata. */
export const PUBLIC_INPUTS = [
  'root',
  'nullifierHash',
  'recipient',
  'relayer',
  'fee',
  'batchStart',
  'batchSize',
] as const;

const WARNING =
  'SMALL_CROWD: the batch is smaller than this relayer calls private. It is no refusal.';

/** Batch that a proof names. */
export const Crowd = z.object({
  batchSize: z.int().min(0).meta({
    description:
      'Deposits in the batch that the proof names. The withdrawal is visibly one of them.',
  }),
  warning: z.enum(['SMALL_CROWD']).nullable().meta({ description: WARNING }),
});

const BEFORE_THE_FIRST = 'Null before the first batch.';

/** Sizes of a pool's batches, and the waiting time of its deposits. */
const PoolCrowd = z.object({
  oldestWaitingSeconds: z.int().min(0).nullable().meta({
    description: 'Waiting time of the oldest deposit without a batch. Null if none waits.',
  }),
  lastBatchSize: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: `Deposits in the last deployed batch. ${BEFORE_THE_FIRST}` }),
  smallestBatchSize: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description: `Deposits in the smallest batch so far: the smallest crowd that a withdrawal from this pool can hide in. ${BEFORE_THE_FIRST}`,
    }),
});

const UNREAD = 'Null while it can’t be read.';
const NEVER_READ = 'Null until it was read once.';

const FIGURES_OF = {
  block: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: `Block of these figures, at ACCEPTED_ON_L2. ${UNREAD}` }),
  at: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: `Time of that block, in Unix seconds. ${UNREAD}` }),
};

const DepositRation = z
  .object({
    perHour: z
      .int()
      .min(0)
      .meta({ description: 'Number of deposits that may begin within an hour.' }),
    left: z.int().min(0).meta({
      description:
        'Number of deposits that may still begin now. Reverted deposits are not counted.',
    }),
    perNetwork: z.int().min(0).meta({
      description:
        'Number of deposits that one network may begin within an hour (/24 of IPv4, /48 of IPv6). While fewer than half of the leaves are left, a network must also wait between two deposits.',
    }),
  })
  .meta({ id: 'DepositRation' });

const PoolDeposits = z
  .object({
    accepting: z.boolean().meta({ description: 'True if a deposit into it can begin now.' }),
    nextAt: z.int().min(0).nullable().meta({
      description:
        'Unix time in seconds at which it accepts the next deposit. Null if it accepts one now, and if the time is unknown.',
    }),
    left: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: `Number of deposits that may begin now. ${UNREAD}` }),
  })
  .meta({
    id: 'PoolDeposits',
    description:
      'Deposits that pauses, free leaves and the hourly ration of the pool allow, for all callers together. The dry run of a deposit also checks the rations of its depositor and network.',
  });

const Pool = z
  .object({
    key: z.string().meta({ description: 'Name in the relayer’s profile.' }),
    address: z.string(),
    kind: z.enum(['withdraw', 'swap_input', 'stable']).meta({
      description:
        'Use of its notes: private swaps start only from swap_input; notes of every kind may be withdrawn.',
    }),
    token: z.object({ symbol: z.string(), address: z.string(), decimals: z.int() }),
    batchSizes: z
      .array(z.int())
      .meta({ description: 'Allowed batch sizes, unless the batch is partial.' }),
    denomination: AmountText.nullable().meta({
      description: `Fixed deposit size: ${DENOMINATION_UNIT}. ${NEVER_READ}`,
    }),
    denominationAmount: AmountText.nullable().meta({
      description: `The denomination in the token’s smallest unit. ${NEVER_READ}`,
    }),
    undeployedCount: z
      .int()
      .nullable()
      .meta({ description: `Deposits that wait for a batch. ${UNREAD}` }),
    leavesLeft: z
      .int()
      .nullable()
      .meta({
        description: `Leaves of its tree that are still free. The tree is never extended, and relayed deposits stop before the last leaf. ${UNREAD}`,
      }),
    depositRation: DepositRation.nullable().meta({
      description: `Deposits that this relayer accepts for the pool within an hour. ${UNREAD}`,
    }),
    deposits: PoolDeposits.nullable().meta({
      description: `Deposits that it accepts now. ${UNREAD}`,
    }),
    maxFeeBps: z.int().nullable().meta({ description: UNREAD }),
    maxFee: AmountText.nullable().meta({
      description: `Maximum fee of a relayer, in the token’s smallest unit. ${UNREAD}`,
    }),
    ...FIGURES_OF,
    fee: AmountText.nullable().meta({
      description:
        'Fee to put into a proof now, in the token’s smallest unit. Null while prices or the pool can’t be read.',
    }),
    accepting: z
      .boolean()
      .nullable()
      .meta({ description: `True if withdrawals from it can begin now. ${UNREAD}` }),
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
      .meta({ description: 'Its notes hold outputs of private swaps and can be withdrawn.' }),
    tokens: z
      .array(Token)
      .meta({ description: 'Tokens that its notes may hold and in which their fees are paid.' }),
    activeDeposits: z
      .int()
      .nullable()
      .meta({ description: `Notes that have not been withdrawn. ${UNREAD}` }),
    totalSwaps: z
      .int()
      .nullable()
      .meta({ description: `Private swaps so far. ${UNREAD}` }),
    nextIndex: z
      .int()
      .nullable()
      .meta({ description: `Leaf of the next note. ${UNREAD}` }),
    maxFeeBps: z
      .int()
      .nullable()
      .meta({
        description: `Maximum share of a note that a relayer may charge, in hundredths of a percent. ${UNREAD}`,
      }),
    ...FIGURES_OF,
    accepting: z
      .boolean()
      .nullable()
      .meta({ description: `True if withdrawals from it can begin now. ${UNREAD}` }),
    pausedFor: PausedFor,
    reason: PauseReason,
  })
  .meta({ id: 'SwapOutputs' });

const PrivacyPool = z
  .object({
    key: z.string().meta({ description: 'Name in the relayer’s profile.' }),
    address: z.string(),
    feeTokens: z
      .array(Token)
      .meta({ description: 'Tokens in which the fee of private actions may be paid.' }),
    version: z
      .enum(['2.0', 'before 2.0'])
      .nullable()
      .meta({
        description: `Version of the pool’s class: calls of 2.0 have a screening argument. ${UNREAD}`,
      }),
    poolFeeFri: AmountText.nullable().meta({
      description: `STRK that the pool charges for each transaction, in fri. The relayer’s fee contains it. ${UNREAD}`,
    }),
    validityBlocks: z
      .int()
      .nullable()
      .meta({
        description: `Number of blocks after its base block in which the pool accepts a proof. ${UNREAD}`,
      }),
    accepting: z
      .boolean()
      .nullable()
      .meta({ description: `True if private actions can begin now. ${UNREAD}` }),
    pausedFor: PausedFor,
    reason: PauseReason,
  })
  .meta({ id: 'PrivacyPool' });

const Pools = z
  .object({
    chainId: z.string(),
    relayer: z.string().meta({ description: 'Address that a proof must name as its relayer.' }),
    circuit: z
      .object({
        id: z.literal(CIRCUIT).meta({
          description: 'Circuit of withdrawals: a tree of 1,024 leaves (depth 10).',
        }),
        publicInputs: z
          .array(z.string())
          .meta({ description: 'Names of the public inputs, in the order of a proof.' }),
        verificationKey: z.string().meta({
          description:
            'Id of the key that verifies the proofs: SHA-256 in hex of its coordinates as decimals, joined by commas. The order is that of snarkjs’ JSON: vk_alpha_1, vk_beta_2, vk_gamma_2, vk_delta_2 and IC, without the third coordinate of each point.',
        }),
      })
      .meta({
        id: 'Circuit',
        description: 'Circuit and verification key of the proofs of all pools.',
      }),
    pools: z.array(Pool),
    swapOutputs: SwapOutputs.nullable().meta({
      description:
        'Pool that receives the output notes of private swaps. It has no denomination, so `pools` does not contain it. Null without a swap pool.',
    }),
    privacyPools: z.array(PrivacyPool).meta({
      description:
        'The network’s own privacy pool (STRK20), whose private actions this relayer sends. Empty if it sends none.',
    }),
    privateSwap: z
      .object({
        swapPool: z.string().meta({
          description: 'Address that the proof of a private swap must name as its recipient.',
        }),
        outputTokens: z
          .array(z.object({ symbol: z.string(), address: z.string(), decimals: z.int() }))
          .meta({ description: 'Possible output tokens: those that have two independent prices.' }),
        defaultSlippage: z.number(),
        minSlippage: z.number(),
        maxSlippage: z.number(),
        maxPriceImpact: z
          .number()
          .meta({ description: 'Largest shortfall of a swap from its fair value, as a fraction.' }),
      })
      .nullable()
      .meta({ description: 'Null if this relayer does not swap.' }),
  })
  .meta({ id: 'Pools' });

export const pools = describeRoute({
  method: 'get',
  path: '/api/relayer/pools',
  operationId: 'listPools',
  summary: 'The pools that this relayer serves',
  description:
    'Facts that a wallet needs to make a proof. Configured values are returned even while the chain can’t be read.',
  tag: 'relayer',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'Pools in the order of the relayer’s profile',
      schema: Pools,
      examples: {
        pools: {
          summary: 'One pool',
          value: {
            chainId: '0x534e5f4d41494e',
            relayer: '0x7a1e5f',
            circuit: {
              id: CIRCUIT,
              publicInputs: [...PUBLIC_INPUTS],
              verificationKey: '3b1f0c5ad6e84e7f9a4c2d8b6e0f1a7c5d3e9b8a7f6c5d4e3b2a1f0e9d8c7b6a',
            },
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
                depositRation: { perHour: 24, left: 21, perNetwork: 6 },
                deposits: { accepting: true, nextAt: null, left: 21 },
                maxFeeBps: 500,
                maxFee: '1000',
                block: 1_204_506,
                at: 1_760_000_000,
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
              block: 1_204_506,
              at: 1_760_000_000,
              accepting: true,
              pausedFor: null,
              reason: null,
            },
            privacyPools: [
              {
                key: 'strk20',
                address: '0x7a20',
                feeTokens: [
                  {
                    symbol: 'STRK',
                    address: '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
                    decimals: 18,
                  },
                ],
                version: '2.0',
                poolFeeFri: '0',
                validityBlocks: 450,
                accepting: true,
                pausedFor: null,
                reason: null,
              },
            ],
            privateSwap: null,
          },
        },
      },
    },
  },
  cached: { cacheControl: 'public, max-age=5', freshMs: 500, staleMs: 5_000 },
  errors: CODES_OF.pools,
});

const PoolStatus = z
  .object({
    denomination: AmountText.meta({ description: `Fixed deposit size: ${DENOMINATION_UNIT}.` }),
    undeployedCount: z.int().min(0).meta({ description: 'Deposits that wait for a batch.' }),
    activeDeposits: z
      .int()
      .min(0)
      .meta({ description: 'Deposits that are deployed in the vault now.' }),
    totalDeposits: z.int().min(0).meta({ description: 'Deposits so far.' }),
    totalAssets: AmountText.meta({
      description:
        'WBTC or USDC in the pool and its vault, including yield, in the token’s smallest unit (sats, or USDC with 6 decimals).',
    }),
    maxFeeBps: z
      .int()
      .min(0)
      .meta({ description: 'Maximum fee of a relayer, in hundredths of a percent.' }),
    maxFee: AmountText.meta({
      description:
        'Maximum fee of one withdrawal, in the token’s smallest unit (sats for WBTC pools).',
    }),
    nextIndex: z.int().min(0).meta({ description: 'Leaf of the next deposit.' }),
    crowd: PoolCrowd.nullable().meta({
      description: 'Batches that withdrawals hide in. Null while the pool’s events can’t be read.',
    }),
    deposits: PoolDeposits.nullable().meta({
      description: `Deposits that it accepts now. ${UNREAD}`,
    }),
    block: z.int().min(0).meta({ description: 'Block of these figures, at ACCEPTED_ON_L2.' }),
    at: z.int().min(0).meta({ description: 'Time of that block, in Unix seconds.' }),
  })
  .meta({ id: 'PoolStatus' });

export const poolStatus = describeRoute({
  method: 'get',
  path: '/api/relayer/pool-status',
  operationId: 'getPoolStatus',
  summary: 'State of a pool',
  description:
    'All figures except `crowd` and `deposits` are of one block. If any of them can’t be read, the reply is an error, never a 0. The swap pool, whose notes hold different amounts, is in `GET /api/relayer/pools`.',
  tag: 'relayer',
  limitedAs: 'reads',
  felts: true,
  query: z.strictObject({
    pool: FeltText.meta({
      description: 'Address of a pool that this relayer serves.',
      example: EXAMPLE_POOL,
    }),
  }),
  replies: {
    200: {
      description: 'The pool in the latest block, or in one that is at most seconds older',
      schema: PoolStatus,
      examples: {
        pool: {
          summary: 'A WBTC pool',
          value: {
            denomination: '20000',
            undeployedCount: 2,
            activeDeposits: 9,
            totalDeposits: 17,
            totalAssets: '220104',
            maxFeeBps: 500,
            maxFee: '1000',
            nextIndex: 17,
            crowd: { oldestWaitingSeconds: 5_400, lastBatchSize: 5, smallestBatchSize: 3 },
            deposits: { accepting: true, nextAt: null, left: 21 },
            block: 1_204_506,
            at: 1_760_000_000,
          },
        },
      },
    },
  },
  cached: { cacheControl: 'public, max-age=2', freshMs: 500, staleMs: 2_000 },
  errors: CODES_OF.poolStatus,
});
