import { StarknetNode, StarknetGasReceipts } from '@sotto/adapter-starknet';
import { OpenedStore } from '@sotto/adapter-store';
import { Clock, BackgroundTask } from '@sotto/kernel';
import { GasBook, GasReceipts, LearnGas } from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';

/** Learns what withdrawals and swaps really use. */
export const gasModule = ({ gas }: Pick<Settings, 'gas'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(GasBook).toResolvedValue((store) => store.gas, [OpenedStore]);
    bind(GasReceipts).toResolvedValue((client) => new StarknetGasReceipts(client), [StarknetNode]);
    bind(LearnGas)
      .toResolvedValue(
        (book, receipts, clock) => new LearnGas(book, receipts, clock),
        [GasBook, GasReceipts, Clock],
      )
      .inSingletonScope();
    bind(BackgroundTask).toResolvedValue(
      (learnGas) => ({
        name: 'learning of gas',
        intervalMs: gas.learnIntervalMs,
        run: async () => learnGas.execute(),
      }),
      [LearnGas],
    );
  });
