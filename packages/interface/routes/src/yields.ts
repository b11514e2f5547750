import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from './definition.js';
import { DryRunQuery } from './relayer/transactions.js';
import { AmountText, SMALL_BODY_BYTES } from './schemas.js';

const Percent = z.number().min(0);

const StakingPools = z
  .array(
    z
      .object({
        slug: z.string().meta({ description: 'Identifies the pool: `prime` or `partner-xbtc`.' }),
        name: z.string().meta({ description: 'Display name.' }),
        poolId: z.string().meta({ description: 'Address of the lending pool’s contract.' }),
        supplyApy: Percent.meta({
          description: 'Interest paid by borrowers to suppliers, in percent a year.',
        }),
        btcFiApr: Percent.meta({
          description:
            'Rate of the reward programme, in percent a year. The interface requires a number, so it is 0 while `rewardsApr` is null: then the rate is not known.',
        }),
        totalApy: Percent.meta({
          description:
            'Sum of `supplyApy` and `btcFiApr`, in percent; a lower bound while `rewardsApr` is null.',
        }),
        utilization: z
          .number()
          .min(0)
          .max(1)
          .meta({ description: 'Share of the supply that is lent.' }),
        tvlUsd: z.number().min(0).meta({ description: 'Value of the supply, in USD.' }),
        totalSupplied: z
          .number()
          .min(0)
          .meta({ description: 'WBTC supplied, in BTC, not in sats.' }),
        btcPrice: z.number().min(0).meta({ description: 'Price of one BTC in USD.' }),
        borrowApr: Percent.meta({ description: 'Interest rate for borrowers, in percent a year.' }),
        vaultTokenSymbol: z
          .string()
          .meta({ description: 'Symbol of the share token of WBTC in this pool.' }),
        vaultToken: z
          .string()
          .meta({ description: 'Address of the share token of WBTC in this pool.' }),
        asset: z.string().meta({ description: 'Address of the supplied token: WBTC.' }),
        blockNumber: z.int().min(0).meta({
          description: 'Block of the figures that come from the pool.',
        }),
        asOf: z.int().min(0).meta({ description: 'Time of that block, in Unix seconds.' }),
        rewardsApr: Percent.nullable().meta({
          description:
            'Like `btcFiApr`, but null if the rate was never read or the last read is too old. A programme that has ended is 0.',
        }),
        rewardsAsOf: z.int().min(0).nullable().meta({
          description: 'Last read of the reward rate, in Unix seconds; null if it was never read.',
        }),
        stale: z.boolean().meta({
          description: 'True if the programme has not confirmed the reward rate recently.',
        }),
        risk: z
          .object({ label: z.string(), level: z.int().min(1).max(5) })
          .meta({ description: '`level` 1 is the lowest of 5.' }),
      })
      .meta({ id: 'StakingPool' }),
  )
  .meta({ id: 'StakingPools' });

export const staking = describeRoute({
  method: 'get',
  path: '/api/staking',
  operationId: 'listStakingPools',
  summary: 'Yields of the supported lending pools',
  description:
    'Read in the background and answered from memory: a source’s last values stay valid for a while when it is slow or down. ' +
    'Values that are too old are not returned. The figures of all pools are of one block. A pool that cannot be read is left out.',
  tag: 'staking',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'One entry for each readable pool',
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
              vaultToken: '0x4ecb0667140b9f45b067d026953ed79f22723f1cfac05a7b26c3ac06c88f56c',
              asset: '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
              blockNumber: 1_234_567,
              asOf: 1_790_000_000,
              rewardsApr: 1.2,
              rewardsAsOf: 1_790_000_005,
              stale: false,
              risk: { label: 'Low', level: 1 },
            },
          ],
        },
      },
    },
  },
  cached: {
    cacheControl: 'public, s-maxage=30, stale-while-revalidate=60',
    freshMs: 1_000,
    staleMs: 5_000,
  },
  errors: CODES_OF.staking,
});

const CuratorRequest = z
  .strictObject({
    vaultId: z.string().min(1).max(40).meta({
      description: 'One of `sentinel`, `citadel`, `trident`, `delta_neutral`, `turbo` and `apex`.',
      example: 'sentinel',
    }),
  })
  .meta({ id: 'CuratorRequest' });

const Gas = z.int().min(0);

const CuratorResult = z
  .object({
    status: z.enum(['deployed', 'no_idle_funds', 'deployable', 'in_flight']).meta({
      description:
        '`no_idle_funds`: there was nothing to deploy, and nothing was sent. Only in a dry run: `deployable` (the simulation succeeded) and `in_flight` (a deployment of the vault is in flight, and a request gets its result).',
    }),
    tx: z.string().optional().meta({ description: 'Hash of the deployment; only when deployed.' }),
    amount: AmountText.optional().meta({
      description:
        'WBTC deployed, in sats; only if deployed. In a dry run the amount that would be or is being deployed.',
    }),
    dryRun: z.literal(true).optional().meta({ description: 'Present only in a dry run.' }),
    method: z.string().optional().meta({
      description: 'Entry point of the vault that would be called; only in a dry run.',
    }),
    gas: z
      .object({
        l2Gas: Gas,
        l1Gas: Gas,
        l1DataGas: Gas,
        costFri: AmountText.meta({ description: 'Cost at present gas prices, in fri.' }),
      })
      .optional()
      .meta({ description: 'Gas of the simulated transaction; only with `deployable`.' }),
    submission: z.string().optional().meta({ description: 'Only with `in_flight`.' }),
  })
  .meta({ id: 'CuratorResult' });

export const curator = describeRoute({
  method: 'post',
  path: '/api/curator',
  operationId: 'deployIdleFunds',
  summary: 'Deploy a vault’s idle WBTC to its strategy',
  description:
    'Reads the idle balance of the vault, runs its deployment method and waits for the outcome. A vault has one deployment in flight at a time: ' +
    'calls in the meantime get its answer. A deployment whose outcome is not known is never repeated. A failure carries its cause in `error`. ' +
    'With `dryRun=true` the deployment is only simulated: amount and gas are returned, and nothing is written or sent.',
  tag: 'curator',
  credential: 'curator',
  limitedAs: 'submissions',
  body: {
    schema: CuratorRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: { sentinel: { summary: 'The vault sentinel', value: { vaultId: 'sentinel' } } },
  },
  query: DryRunQuery,
  replies: {
    200: {
      description: 'Deployed, or nothing to deploy; or the result of a dry run',
      schema: CuratorResult,
      examples: {
        deployed: {
          summary: 'Deployed',
          value: {
            status: 'deployed',
            tx: '0x5d2a7e0c6f1b3948d2e5a7c90b1f3e4d5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0',
            amount: '1250000',
          },
        },
        nothing: { summary: 'Nothing to deploy', value: { status: 'no_idle_funds' } },
        dryRun: {
          summary: 'A dry run',
          value: {
            dryRun: true,
            status: 'deployable',
            method: 'deploy_to_lending',
            amount: '1250000',
            gas: { l2Gas: 3_000_000, l1Gas: 0, l1DataGas: 640, costFri: '24000000640000000' },
          },
        },
      },
    },
  },
  errors: CODES_OF.curator,
});
