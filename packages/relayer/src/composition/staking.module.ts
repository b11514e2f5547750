import { HttpRewardProgramme } from '@sotto/adapter-http/rewards';
import {
  StarknetNode,
  PragmaBtcPriceSource,
  PragmaPriceSource,
  VesuLendingPoolReader,
} from '@sotto/adapter-starknet';
import { Clock, Logger, BackgroundTask } from '@sotto/kernel';
import {
  BtcPriceSource,
  LendingPoolReader,
  ListStakingPools,
  RewardProgramme,
  STAKING_FRESHNESS,
  StakingDataUnavailable,
  type StakingPoolTerms,
  RewardRates,
} from '@sotto/staking-core';
import type { NetworkProfile } from '@sotto/network-profile';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';
import { Partners } from './partners.js';

/**
 * Reward programme that is used if no source of rewards is configured. All its rates are unknown
 * (null).
 */
const NO_REWARDS: RewardProgramme = { supplyAprE18: async () => null };

/**
 * Binds the yields of the profile's lending pools. If the profile names no lending pools, the list
 * is empty and nothing is read.
 */
export const stakingModule = ({
  network,
  staking,
}: Pick<Settings, 'network' | 'staking'>): AppModule =>
  new AppModule(({ bind, provide }) => {
    const { rewardsUrl, minPricePublishers, ...limits } = staking;
    const pools = stakingPools(network);

    provide.as(LendingPoolReader, VesuLendingPoolReader, [StarknetNode]);
    bind(BtcPriceSource).toResolvedValue(
      (client) => {
        const { address: oracle, pairs } = network.oracle;
        return new PragmaBtcPriceSource(
          new PragmaPriceSource(client, { oracle, pairs, minPublishers: minPricePublishers }),
        );
      },
      [StarknetNode],
    );
    if (rewardsUrl === null) bind(RewardProgramme).toConstantValue(NO_REWARDS);
    else {
      bind(HttpRewardProgramme)
        .toResolvedValue(
          (partners) =>
            new HttpRewardProgramme({
              url: rewardsUrl.reveal(),
              findings: partners.of('rewards'),
            }),
          [Partners],
        )
        .inSingletonScope()
        .onDeactivation((rewards) => rewards.close());
      bind(RewardProgramme).toResolvedValue((rewards) => rewards, [HttpRewardProgramme]);
    }
    if (pools.length === 0) {
      bind<Pick<ListStakingPools, 'execute'>>(ListStakingPools).toConstantValue({
        execute: async () => [],
      });
      return;
    }
    assemble(
      bind(ListStakingPools),
      {
        lendingPools: LendingPoolReader,
        btcPrice: BtcPriceSource,
        rewards: RewardProgramme,
        rates: RewardRates,
        clock: Clock,
        logger: Logger,
      },
      ({ lendingPools, btcPrice, rewards, rates, clock, logger }) =>
        new ListStakingPools(
          { lendingPools, btcPrice, rewards, rates },
          { pools, freshness: { ...STAKING_FRESHNESS, ...limits } },
          clock,
          logger,
        ),
    );
    bind(BackgroundTask).toResolvedValue(
      (list) => ({
        name: 'refresh of yields',
        intervalMs: staking.refreshMs,
        run: async () => refresh(list),
      }),
      [ListStakingPools],
    );
  });

/**
 * Requests the list of lending pools, which refreshes its cached values. If sources fail, the use
 * case logs this.
 */
async function refresh(list: ListStakingPools): Promise<void> {
  try {
    await list.execute();
  } catch (error) {
    if (!(error instanceof StakingDataUnavailable)) throw error;
  }
}

function stakingPools({ lendingPools, tokens }: NetworkProfile): readonly StakingPoolTerms[] {
  return lendingPools.map(({ slug, name, address, vaultToken, vaultTokenSymbol, risk }) => ({
    slug,
    name,
    pool: address,
    asset: tokens.WBTC.address,
    vaultToken,
    vaultTokenSymbol,
    risk,
  }));
}
