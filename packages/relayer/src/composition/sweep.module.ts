import { TaskBook } from '@sotto/keeper-core';
import { TransferStore } from '@sotto/bridge-core';
import { Clock, Logger, BackgroundTask } from '@sotto/kernel';
import { QuoteStore, SubmissionLocks } from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';

/** Interval in ms at which rows that are no longer needed are deleted. */
export const SWEEP_INTERVAL_MS = 60_000;

const DAY_MS = 86_400_000;
/** Time in ms to keep unused transfers. Any caller can request quotes; most never get a deposit. */
const UNUSED_TRANSFERS_KEPT_MS = DAY_MS;
/**
 * Time in ms to keep records of checks. Each check updates its record within a minute, so an older
 * record belongs to a deleted subject or a disabled task.
 */
const LOOKS_KEPT_MS = 7 * DAY_MS;
/**
 * Maximum records deleted by one sweep, so that it does not block the store for long; a day has
 * more than a million.
 */
const LOOKS_AT_A_TIME = 1_000;

/**
 * Keeps the store from growing without limit. Withdrawals, batches and swaps are kept: the engine
 * redacts only their private data.
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
            // An unused quote is only a promise. Keep it for one interval after expiry, so that the
            // API can report it as expired.
            quotes: await quotes.forget({
              usedMs: nowMs - retention.quotesMs,
              unusedMs: nowMs - SWEEP_INTERVAL_MS,
            }),
            transfers: await transfers.forget({
              usedMs: nowMs - retention.transfersMs,
              unusedMs: nowMs - UNUSED_TRANSFERS_KEPT_MS,
            }),
            // Once all submissions of a claim are on chain or expired, the chain itself has the
            // answer.
            claims: await claims.forget(nowMs - engine.deadlineMs - engine.retentionMs),
            looks: await taskBook.forget(LOOKS_KEPT_MS, LOOKS_AT_A_TIME),
          };
          if (Object.values(forgotten).some((count) => count > 0)) logger.info(forgotten, 'swept');
        },
      }),
    );
  });
