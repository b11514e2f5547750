import { TransferMemory } from '@sotto/bridge-core';
import { Clock, Logger } from '@sotto/kernel';
import { QuoteBook } from '@sotto/relayer-core';
import type { Settings } from '../config/settings.js';
import { BackgroundTaskToken } from './bindings.js';
import { AppModule } from './container.js';

/** How often what nobody needs any more is looked for. */
const SWEEP_INTERVAL_MS = 60_000;

/** Keeps the store from growing for ever. Withdrawals, batches and swaps stay: the engine wipes only what is private in them. */
export const sweepModule = ({ retention }: Pick<Settings, 'retention'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(BackgroundTaskToken).toResolvedValue(
      (quotes: QuoteBook, transfers: TransferMemory, clock: Clock, logger: Logger) => ({
        name: 'sweep',
        intervalMs: SWEEP_INTERVAL_MS,
        run: async () => {
          const nowMs = clock.nowMs();
          const forgotten = {
            quotes: await quotes.forget(nowMs - retention.quotesMs),
            transfers: await transfers.forget(nowMs - retention.transfersMs),
          };
          if (forgotten.quotes + forgotten.transfers > 0) logger.info(forgotten, 'swept');
        },
      }),
      [QuoteBook, TransferMemory, Clock, Logger],
    );
  });
