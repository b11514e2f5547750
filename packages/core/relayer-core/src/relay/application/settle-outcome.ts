import type { Clock } from '@sotto/kernel';
import type { StandingAnswer } from './submission-end.js';

/** Milliseconds between two reads of an outcome that the node does not return yet. */
const REREAD_INTERVAL_MS = 500;

/** Effect of a submission on a pool, such as the leaf that it filled. */
interface Outcome {
  /** Index of the leaf that the submission filled; null if unknown. */
  readonly leafIndex: number | null;
}

export interface OutcomeReads<O extends Outcome> {
  /** Reads the outcome from the chain once. */
  readonly poll: (answer: StandingAnswer) => Promise<O>;
  readonly unknown: O;
  readonly clock: Clock;
}

/**
 * Returns a response together with its outcome in the pool. If the submission succeeded, but its
 * leaf can't be read before `untilMs`, the returned response is pending. A request that is repeated
 * later gets the response with the leaf.
 * @param untilMs deadline by the monotonic clock, in milliseconds
 */
export async function settleOutcome<O extends Outcome>(
  answer: StandingAnswer,
  { poll, unknown, clock }: OutcomeReads<O>,
  untilMs: number,
  signal?: AbortSignal,
): Promise<O & { readonly answer: StandingAnswer }> {
  if (answer.kind === 'pending') return { answer, ...unknown };
  for (;;) {
    const outcome = await poll(answer);
    if (outcome.leafIndex !== null) return { answer, ...outcome };
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0 || signal?.aborted === true) {
      const { attempt, transactionHash } = answer;
      return { answer: { kind: 'pending', attempt, transactionHash }, ...unknown };
    }
    await clock.sleep(Math.min(leftMs, REREAD_INTERVAL_MS), signal);
  }
}
