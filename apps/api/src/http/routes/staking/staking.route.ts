import type { Clock, Logger } from '@sotto/kernel';
import type { ListStakingPools } from '@sotto/staking-core';
import { stakingPoolReply } from '@sotto/staking-core';
import { z } from 'zod';
import { describeRoute, type Route, type RouteHandler } from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { ResponseCache } from '../../response-cache.js';

const Percent = z.number().min(0);

const StakingPools = z
  .array(
    z
      .object({
        slug: z.string().meta({ description: 'Identifies the pool: `prime` or `partner-xbtc`.' }),
        name: z.string().meta({ description: 'For people.' }),
        poolId: z.string().meta({ description: 'Address of the lending pool’s contract.' }),
        supplyApy: Percent.meta({
          description: 'What borrowers’ interest earns suppliers in a year, in percent.',
        }),
        btcFiApr: Percent.meta({
          description:
            'What the reward programme adds in a year, in percent; 0 while it was never known.',
        }),
        totalApy: Percent.meta({ description: '`supplyApy` and `btcFiApr` together, in percent.' }),
        utilization: z
          .number()
          .min(0)
          .max(1)
          .meta({ description: 'The part of the supply that is lent.' }),
        tvlUsd: z.number().min(0).meta({ description: 'What the supply is worth, in USD.' }),
        totalSupplied: z
          .number()
          .min(0)
          .meta({ description: 'WBTC supplied, in BTC, not in sats.' }),
        btcPrice: z.number().min(0).meta({ description: 'One BTC in USD.' }),
        borrowApr: Percent.meta({ description: 'What borrowers pay in a year, in percent.' }),
        vaultTokenSymbol: z
          .string()
          .meta({ description: 'Symbol of the share token of WBTC in this pool.' }),
        risk: z
          .object({ label: z.string(), level: z.int().min(1).max(5) })
          .meta({ description: '`level` 1 is the lowest of 5.' }),
      })
      .meta({ id: 'StakingPool' }),
  )
  .meta({ id: 'StakingPools' });

const staking = describeRoute({
  method: 'get',
  path: '/api/staking',
  operationId: 'listStakingPools',
  summary: 'Yields of the supported lending pools',
  description:
    'Read in the background and answered from memory: a source’s last values stay valid for a while when it is slow or down. ' +
    'Values that are too old are not returned. The figures of all pools are of one block.',
  tag: 'staking',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'One entry for each pool',
      schema: StakingPools,
      examples: {
        pools: {
          summary: 'One pool',
          value: [
            {
              slug: 'prime',
              name: 'Vesu PRIME',
              poolId: '0x451fe483d5921a2919ddd81d0de6696669bccdacd859f72a4fba7656b97c3b5',
              supplyApy: 0.332,
              btcFiApr: 1.2,
              totalApy: 1.532,
              utilization: 0.41,
              tvlUsd: 95_000_000,
              totalSupplied: 1_000,
              btcPrice: 95_000,
              borrowApr: 0.81,
              vaultTokenSymbol: 'vWBTC',
              risk: { label: 'Low', level: 1 },
            },
          ],
        },
      },
    },
  },
  kept: {
    cacheControl: 'public, s-maxage=30, stale-while-revalidate=60',
    freshMs: 1_000,
    staleMs: 5_000,
  },
  errors: ERRORS_OF.staking,
});

/** `GET /api/staking`. */
export class StakingRoute implements Route {
  static readonly definition = staking;
  readonly definition = staking;
  readonly kept: ResponseCache<typeof staking, null>;
  readonly handler: RouteHandler;

  constructor(
    private readonly listStakingPools: ListStakingPools,
    clock: Clock,
    logger: Logger,
  ) {
    this.kept = new ResponseCache(
      staking,
      { ask: () => null, answer: () => this.#answer() },
      { clock, logger },
    );
    this.handler = this.kept.handler;
  }

  async #answer(): Promise<z.input<typeof StakingPools>> {
    const pools = await this.listStakingPools.execute();
    return pools.map(stakingPoolReply);
  }
}
