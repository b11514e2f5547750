import { TaskBook } from '@sotto/keeper-core';
import { TransferStore } from '@sotto/bridge-core';
import { Clock, Logger, BackgroundTask } from '@sotto/kernel';
import { QuoteStore, SubmissionLocks } from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';

/** How often rows that are no longer needed are deleted. */
export const SWEEP_INTERVAL_MS = 60_000;

const DAY_MS = 86_400_000;
/** Any caller can request quotes of transfers; most of them never get a deposit. */
const UNUSED_TRANSFERS_KEPT_MS = DAY_MS;
/** Each look at a subject is noted within a minute: what is older is gone, or its task is off. */
const LOOKS_KEPT_MS = 7 * DAY_MS;
/** So that no sweep holds the store for long; a day has more than a million of them. */
const LOOKS_AT_A_TIME = 1_000;

/**
 * Keeps the store from growing for ever. Withdrawals, batches and swaps stay: the engine wipes only
 * what is private in them.
 */
export const sweepModule = ({
  retention,
  engine,
}: Pick<Settings, 'retention' | 'engine'>): AppModule =>
  new AppModule(({ bind }) => {
    assemble(
      bind(BackgroundTask),
      {
        quotes: QuoteStore,
        transfers: TransferStore,
        claims: SubmissionLocks,
        taskBook: TaskBook,
        clock: Clock,
        logger: Logger,
      },
      ({ quotes, transfers, claims, taskBook, clock, logger }) => ({
        name: 'sweep',
        intervalMs: SWEEP_INTERVAL_MS,
        run: async () => {
          const nowMs = clock.nowMs();
          const forgotten = {
            // Unused quotes were promises only; they stay for one interval after expiry, so that
            // the API can report them as expired.
            quotes: await quotes.forget({
              usedMs: nowMs - retention.quotesMs,
              unusedMs: nowMs - SWEEP_INTERVAL_MS,
            }),
            transfers: await transfers.forget({
              usedMs: nowMs - retention.transfersMs,
              unusedMs: nowMs - UNUSED_TRANSFERS_KEPT_MS,
            }),
            // Once all that a claim is for is on chain or given up, the chain itself has the
            // answer.
            claims: await claims.forget(nowMs - engine.deadlineMs - engine.retentionMs),
            looks: await taskBook.forget(LOOKS_KEPT_MS, LOOKS_AT_A_TIME),
          };
          if (Object.values(forgotten).some((count) => count > 0)) logger.info(forgotten, 'swept');
        },
      }),
    );
  });
