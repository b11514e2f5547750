import { StarknetGasReceipts, type NodeClient } from '@sotto/adapter-starknet';
import type { OpenedStore } from '@sotto/adapter-store';
import { Clock } from '@sotto/kernel';
import { GasBook, GasReceipts, LearnGas } from '@sotto/relayer-core';
import type { Settings } from '../config/settings.js';
import { BackgroundTaskToken, LearnGasToken, NodeClientToken, OpenedStoreToken } from './bindings.js';
import { AppModule } from './container.js';

/** Learns what withdrawals and swaps really use. */
export const gasModule = ({ gas }: Pick<Settings, 'gas'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(GasBook).toResolvedValue((store: OpenedStore) => store.gas, [OpenedStoreToken]);
    bind(GasReceipts).toResolvedValue((client: NodeClient) => new StarknetGasReceipts(client), [NodeClientToken]);
    bind(LearnGasToken)
      .toResolvedValue(
        (book: GasBook, receipts: GasReceipts, clock: Clock) => new LearnGas(book, receipts, clock),
        [GasBook, GasReceipts, Clock],
      )
      .inSingletonScope();
    bind(BackgroundTaskToken).toResolvedValue(
      (learnGas: LearnGas) => ({ name: 'learning of gas', intervalMs: gas.learnIntervalMs, run: async () => learnGas.execute() }),
      [LearnGasToken],
    );
  });
