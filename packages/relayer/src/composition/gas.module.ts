import { StarknetNode, StarknetGasReceipts } from '@sotto/adapter-starknet';
import { Clock, BackgroundTask } from '@sotto/kernel';
import { cycleGas, privateActionGas, swapCycleGas } from '@sotto/network-profile';
import {
  Attributions,
  GasStore,
  GasReceipts,
  LearnGas,
  type AssumedGas,
  type CycleGas,
} from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';

/** Measures the gas that withdrawals and swaps actually use. */
export const gasModule = ({ gas, network }: Pick<Settings, 'gas' | 'network'>): AppModule =>
  new AppModule(({ bind, provide }) => {
    provide.as(GasReceipts, StarknetGasReceipts, [StarknetNode]);
    provide(LearnGas, [GasStore, GasReceipts, Attributions, Clock], {
      withdraw: assumed(cycleGas(network)),
      private_swap: assumed(swapCycleGas(network)),
      apply_actions: privateActionGas(network),
    });
    bind(BackgroundTask).toResolvedValue(
      (learnGas) => ({
        name: 'learning of gas',
        intervalMs: gas.learnIntervalMs,
        run: async () => learnGas.execute(),
      }),
      [LearnGas],
    );
  });

const assumed = ({ withdrawL2Gas, l1DataGasPerStep }: CycleGas): AssumedGas => ({
  l2Gas: withdrawL2Gas,
  l1DataGas: l1DataGasPerStep,
});
