import { TaskStore } from '@sotto/keeper-core';
import { TransferStore } from '@sotto/bridge-core';
import { Clock, Logger, BackgroundTask } from '@sotto/kernel';
import { QuoteStore, SponsorBudgets, SubmissionLocks, dayOf } from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';

/** Interval in ms between two deletions of rows that are no longer needed. */
export const SWEEP_INTERVAL_MS = 60_000;

const DAY_MS = 86_400_000;
/**
 * Time in ms for which unused transfers are stored. Any caller can request quotes, and most quoted
 * transfers never get a deposit.
 */
const UNUSED_TRANSFERS_KEPT_MS = DAY_MS;
/**
 * Time in ms for which records of a task's checks are stored. Each check updates its record within
 * a minute, so an older record belongs to a deleted subject or a disabled task.
 */
const POLLS_KEPT_MS = 7 * DAY_MS;
/** Time in ms for which the sums of sponsors are stored, for the operator's accounting. */
const SPONSOR_DAYS_KEPT_MS = 400 * DAY_MS;
/**
 * Maximum number of records that one sweep deletes, so that it does not block the store for long.
 * In a day, all sweeps together can delete more than a million records.
 */
const POLLS_AT_A_TIME = 1_000;

/**
 * Deletes rows so that the store does not grow without limit. Withdrawals, batches and swaps are
 * not deleted: the engine only redacts their private data.
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
        taskBook: TaskStore,
        sponsors: SponsorBudgets,
        clock: Clock,
        logger: Logger,
      },
      ({ quotes, transfers, claims, taskBook, sponsors, clock, logger }) => ({
        name: 'sweep',
        intervalMs: SWEEP_INTERVAL_MS,
        run: async () => {
          const nowMs = clock.nowMs();
          const forgotten = {
            // An unused quote is only an offer of a fee. Its row remains for one interval after
            // expiry, so that the API can report the quote as expired.
            quotes: await quotes.forget({
              usedMs: nowMs - retention.quotesMs,
              unusedMs: nowMs - SWEEP_INTERVAL_MS,
            }),
            transfers: await transfers.forget({
              usedMs: nowMs - retention.transfersMs,
              unusedMs: nowMs - UNUSED_TRANSFERS_KEPT_MS,
            }),
            // A submission lock is no longer needed when all its submissions are on chain or
            // expired. Then the outcomes can be read from the chain.
            claims: await claims.forget(nowMs - engine.deadlineMs - engine.retentionMs),
            looks: await taskBook.forget(POLLS_KEPT_MS, POLLS_AT_A_TIME),
            sponsorDays: await sponsors.forget(dayOf(nowMs - SPONSOR_DAYS_KEPT_MS)),
          };
          if (Object.values(forgotten).some((count) => count > 0)) logger.info(forgotten, 'swept');
        },
      }),
    );
  });
