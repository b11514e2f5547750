import type { Clock } from '@sotto/kernel';
import type { SubmissionAnswer, Submissions } from '@sotto/submission-core';
import { alertBody, alertStateOf, type AlertHolds } from '../domain/alert.js';
import type { Delivery } from '../domain/delivery.js';
import { submissionBody, submissionStateOf } from '../domain/submission-state.js';
import type { AlertBook } from '../ports/alert-book.port.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What there is to say of a topic now. */
export interface TopicState {
  /** Null while there is nothing to say. */
  readonly message: { readonly state: string; readonly body: string } | null;
  /** Once it is delivered, nothing more can come. */
  readonly isLast: boolean;
  /** When to look again after that, or while there is nothing to say. */
  readonly lookAgainMs: number;
}

export interface TopicPorts {
  readonly submissions: Pick<Submissions, 'find'>;
  readonly alerts: AlertBook;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Whether an alert is over that no instance has seen of late. */
  readonly mayResolve: () => boolean;
}

/** Reads what messages say, from the rows, at the moment when one is made. */
export class TopicStates {
  constructor(
    private readonly ports: TopicPorts,
    private readonly holds: AlertHolds,
  ) {}

  /** Null for a topic that there is no more. */
  read(delivery: Delivery): Promise<TopicState | null> {
    return delivery.kind === 'submission' ? this.#submission(delivery) : this.#alert(delivery);
  }

  async #submission({ subject: id, sequence }: Delivery): Promise<TopicState | null> {
    const answer = await this.ports.submissions.find(id);
    if (answer === null) return null;
    const state = submissionStateOf(answer, sequence > 0);
    return {
      message: state === null ? null : { state, body: submissionBody(id, state, answer) },
      isLast: this.#isLast(answer),
      lookAgainMs: lookAgainMs(answer),
    };
  }

  async #alert({ subject: code, component, sequence }: Delivery): Promise<TopicState | null> {
    const alert = { code, component };
    const { sightings, nowMs } = await this.ports.alerts.sightings(alert);
    const { resolveMs } = this.holds;
    const raiseMs = this.holds.raiseMsOf(alert);
    const judged = alertStateOf(sightings, { raiseMs, resolveMs }, nowMs);
    const isKnown = judged?.state !== 'resolved' || this.ports.mayResolve();
    const now = isKnown ? judged : null;
    // What was gone again before a message had said it is not worth one.
    if (now?.state === 'resolved' && sequence === 0) return null;
    return {
      message: now === null ? null : { state: now.state, body: alertBody(alert, now) },
      isLast: now?.state === 'resolved',
      // What is about to be raised is not held up by the look for it, too.
      lookAgainMs: now === null ? SECOND_MS : 5 * SECOND_MS,
    };
  }

  /**
   * A rejection is corrected by a rollback, or by an outcome that a restored ledger reads from the
   * chain. Both come within a day.
   */
  #isLast(answer: SubmissionAnswer): boolean {
    if (answer.kind === 'executed') return answer.finality === 'ACCEPTED_ON_L1';
    const { endedAtMs } = answer.attempt;
    return (
      answer.kind === 'rejected' &&
      endedAtMs !== null &&
      this.ports.clock.nowMs() - endedAtMs > DAY_MS
    );
  }
}

function lookAgainMs(answer: SubmissionAnswer): number {
  if (answer.kind === 'pending') return SECOND_MS;
  const mayChangeSoon = answer.kind === 'executed' && answer.finality === 'PRE_CONFIRMED';
  return mayChangeSoon ? 2 * SECOND_MS : 5 * MINUTE_MS;
}
