import { z } from 'zod';

/**
 * The first read of a pool's events may take longer: it goes on, and later answers contain its
 * result.
 */
export const CROWD_WAIT_MS = 1_000;

const WARNING =
  'SMALL_CROWD: the batch is smaller than this relayer calls private. It is no refusal.';

/** The batch that a proof names. */
export const Crowd = z.object({
  batchSize: z.int().min(0).meta({
    description:
      'Deposits in the batch that the proof names: the withdrawal is one of theirs, and anybody can see that.',
  }),
  warning: z.enum(['SMALL_CROWD']).nullable().meta({ description: WARNING }),
});

const BEFORE_THE_FIRST = 'Null before the first batch.';

/** What the batches of a pool are like. */
export const PoolCrowd = z.object({
  oldestWaitingSeconds: z.int().min(0).nullable().meta({
    description: 'How long the oldest deposit has waited for its batch. Null when none waits.',
  }),
  lastBatchSize: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: `Deposits in the batch that was deployed last. ${BEFORE_THE_FIRST}` }),
  smallestBatchSize: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description: `Deposits in the smallest batch ever: the least that a withdrawal from this pool hides in. ${BEFORE_THE_FIRST}`,
    }),
});
