import type { Environment } from './environment.js';
import { profilePools, type NetworkProfile } from '@sotto/network-profile';
import type { NamedToken } from './secret-values.js';
import type {
  DepositLimits,
  GuardLimits,
  PartialBatchPolicy,
  SlotSettings,
} from '@sotto/relayer-core';
import type { Felt } from '@sotto/kernel';

/** What keeps the service from spending or doing too much. */
export interface GuardSettings {
  readonly limits: GuardLimits;
  readonly slots: SlotSettings;
  readonly partialBatches: PartialBatchPolicy;
  /** Batches of fewer deposits are warned of. */
  readonly smallBatchBelow: number;
  readonly deposits: DepositLimits;
  /** Reasons of pauses by configuration, by pool. */
  readonly paused: ReadonlyMap<Felt, string>;
}

export interface OperatorSettings {
  readonly tokens: readonly NamedToken[];
}

export function guardSettings(env: Environment, network: NetworkProfile): GuardSettings {
  const pools = profilePools(network);
  const slots = env.ADMISSION_SLOTS;
  const paused = pools.flatMap(({ key, address }) => {
    const reason = env.PAUSED_POOLS?.get(key);
    return reason === undefined ? [] : [[address, reason] as const];
  });
  return {
    limits: {
      revertsInARow: env.BREAKER_REVERTS,
      lossesInARow: env.BREAKER_LOSSES,
      upstreamFailuresInARow: env.BREAKER_UPSTREAM_FAILURES,
      pauseMs: env.BREAKER_PAUSE_MS,
      hourlyGasPerPoolFri: env.GAS_BUDGET_PER_POOL_FRI,
      hourlyGasInAllFri: env.GAS_BUDGET_IN_ALL_FRI,
      hourlyLossPerPoolFri: env.LOSS_BUDGET_PER_POOL_FRI,
      callerLossPercent: env.LOSS_BUDGET_CALLER_PERCENT,
      lossBudgetCloses: env.LOSS_BUDGET_CLOSES,
      swapRevertsPerNote: env.SWAP_REVERTS_PER_NOTE,
    },
    slots: {
      slots,
      slotsPerName: pools.length > 1 ? Math.ceil((slots * 3) / 4) : slots,
      waitingPerName: env.ADMISSION_QUEUE,
    },
    smallBatchBelow: env.SMALL_BATCH_BELOW,
    partialBatches: {
      mode: env.PARTIAL_BATCHES ?? (env.MODE === 'production' ? 'aged' : 'anyone'),
      minAgeMs: env.PARTIAL_BATCH_MIN_AGE_MS,
    },
    deposits: {
      perDepositor: env.DEPOSITS_PER_HOUR_PER_DEPOSITOR,
      perNetwork: env.DEPOSITS_PER_HOUR_PER_NETWORK,
      perPool: env.DEPOSITS_PER_HOUR_PER_POOL,
      leafReserve: env.DEPOSIT_LEAF_RESERVE,
    },
    paused: new Map(paused),
  };
}

export function operatorSettings({
  OPERATOR_API_TOKEN: token,
  OPERATOR_API_TOKENS: tokens,
}: Environment): OperatorSettings {
  return { tokens: tokens ?? (token === undefined ? [] : [{ name: 'default', token }]) };
}

/** Pools that are paused and not served: a slip that would pause nothing. */
export function unknownPausedPools(
  { PAUSED_POOLS }: Environment,
  network: NetworkProfile,
): readonly string[] {
  const served = new Set(profilePools(network).map(({ key }) => key));
  const strangers = [...(PAUSED_POOLS?.keys() ?? [])].filter((key) => !served.has(key));
  return strangers.length === 0
    ? []
    : ['PAUSED_POOLS: names a pool that is not in the network profile'];
}
