import { HttpSwapAggregator } from '@sotto/adapter-aggregator';
import { StarknetSwapDeposits, type NodeClient } from '@sotto/adapter-starknet';
import { Clock } from '@sotto/kernel';
import {
  CallSimulator,
  ExecutePrivateSwap,
  GasPriceSource,
  PoolReader,
  PoolStatusReader,
  ProofVerifier,
  SwapDeposits,
  SwapOutcomes,
  SwapPins,
  type FairSlots,
  type MarketPrices,
  type PoolGuard,
  type SpentNotes,
  type SwapAggregator,
} from '@sotto/relayer-core';
import { Submissions } from '@sotto/submission-core';
import type { NetworkProfile } from '../config/network-profile.js';
import type { Settings, SwapSettings } from '../config/settings.js';
import { PrivateSwapDisabled } from '../http/errors.js';
import {
  AggregatorToken,
  ExecutePrivateSwapToken,
  MarketPricesToken,
  NodeClientToken,
  PoolGuardToken,
  SlotsToken,
  SpentNotesToken,
  SwapOutcomesToken,
} from './bindings.js';
import { AppModule } from './container.js';
import { cycleGas, servedPools } from './served-pools.js';

type SwapModuleSettings = Pick<Settings, 'network' | 'relay' | 'swap'>;
type SwapPool = NonNullable<NetworkProfile['swapPool']>;

/** Private swaps; where the settings have none, the use case refuses every request. */
export const swapModule = ({ network, relay, swap }: SwapModuleSettings): AppModule => {
  const { swapPool } = network;
  return swap === null || swapPool === undefined ? withoutSwaps : withSwaps(network, swapPool, relay, swap);
};

const withoutSwaps = new AppModule(({ bind }) => {
  bind(ExecutePrivateSwapToken).toConstantValue({
    async execute() {
      throw new PrivateSwapDisabled('this relayer does not swap');
    },
  });
  bind(SwapOutcomesToken).toConstantValue({ describe: async () => null });
});

const withSwaps = (
  network: NetworkProfile,
  swapPool: SwapPool,
  { feeAddress }: Settings['relay'],
  { aggregatorUrl, owner }: SwapSettings,
) =>
  new AppModule(({ bind }) => {
    bind(AggregatorToken)
      .toDynamicValue(() => new HttpSwapAggregator({ url: aggregatorUrl.reveal() }))
      .inSingletonScope()
      .onDeactivation((aggregator) => aggregator.close());
    bind(SwapDeposits).toResolvedValue((client: NodeClient) => new StarknetSwapDeposits(client, swapPool.address), [NodeClientToken]);
    bind(SwapOutcomesToken).toResolvedValue(
      (deposits: SwapDeposits, clock: Clock) => new SwapOutcomes(deposits, clock),
      [SwapDeposits, Clock],
    );
    bind(ExecutePrivateSwapToken).toResolvedValue(
      (
        poolReader: PoolReader,
        proofVerifier: ProofVerifier,
        simulator: CallSimulator,
        gasPrices: GasPriceSource,
        marketPrices: MarketPrices,
        poolStatusReader: PoolStatusReader,
        aggregator: SwapAggregator,
        submissions: Submissions,
        outcomes: SwapOutcomes,
        clock: Clock,
        guard: PoolGuard,
        slots: FairSlots,
        spentNotes: SpentNotes,
        pins: SwapPins,
        deposits: SwapDeposits,
      ) =>
        new ExecutePrivateSwap(
          {
            poolReader,
            proofVerifier,
            simulator,
            gasPrices,
            marketPrices,
            poolStatusReader,
            aggregator,
            pins,
            deposits,
            submissions,
            clock,
          },
          { guard, slots, spentNotes },
          outcomes,
          {
            chainId: network.chainId,
            feeAddress,
            pools: servedPools(network),
            swapPool: swapPool.address,
            swapOwner: owner.address,
            outputTokens: addressesOf(swapPool, network),
            routers: swapPool.routers,
            allowBranchRoutes: swapPool.branchRoutes,
            payoutRule: swapPool.payoutRule,
            cycleGas: { ...cycleGas(network), withdrawL2Gas: network.limits.privateSwapL2Gas },
          },
          network.limits.withdrawalBounds,
        ),
      [
        PoolReader,
        ProofVerifier,
        CallSimulator,
        GasPriceSource,
        MarketPricesToken,
        PoolStatusReader,
        AggregatorToken,
        Submissions,
        SwapOutcomesToken,
        Clock,
        PoolGuardToken,
        SlotsToken,
        SpentNotesToken,
        SwapPins,
        SwapDeposits,
      ],
    );
  });

function addressesOf({ outputTokens }: SwapPool, { tokens }: NetworkProfile): NetworkProfile['tokens']['STRK']['address'][] {
  return outputTokens.flatMap((symbol) => tokens[symbol]?.address ?? []);
}
