import type { Clock } from '@sotto/kernel';
import type { StandingAnswer } from './submission-end.js';

/** How often a receipt that can't be read yet is asked for again. */
const REREAD_INTERVAL_MS = 500;

/** What a submission left in a pool. */
interface Outcome {
  /** Null while it is not known. */
  readonly leafIndex: number | null;
}

export interface OutcomeReads<O extends Outcome> {
  /** Reads the chain once. */
  readonly look: (answer: StandingAnswer) => Promise<O>;
  readonly unknown: O;
  readonly clock: Clock;
}

/**
 * An answer, together with what the submission left. One that succeeded while its leaf can't be
 * read until `untilMs` is answered as undecided, since only half of its outcome is known: a later
 * question gets all of it.
 * @param untilMs a moment of the clock's monotonic time
 */
export async function settleOutcome<O extends Outcome>(
  answer: StandingAnswer,
  { look, unknown, clock }: OutcomeReads<O>,
  untilMs: number,
  signal?: AbortSignal,
): Promise<O & { readonly answer: StandingAnswer }> {
  if (answer.kind === 'pending') return { answer, ...unknown };
  for (;;) {
    const outcome = await look(answer);
    if (outcome.leafIndex !== null) return { answer, ...outcome };
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0 || signal?.aborted === true) {
      const { attempt, transactionHash } = answer;
      return { answer: { kind: 'pending', attempt, transactionHash }, ...unknown };
    }
    await clock.sleep(Math.min(leftMs, REREAD_INTERVAL_MS), signal);
  }
}
