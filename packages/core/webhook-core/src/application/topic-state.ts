import type { Clock } from '@sotto/kernel';
import type { SubmissionAnswer, Submissions } from '@sotto/submission-core';
import { alertBody, alertStateOf, type AlertHolds } from '../domain/alert.js';
import type { Delivery } from '../domain/delivery.js';
import { submissionBody, submissionStateOf } from '../domain/submission-state.js';
import type { AlertStore } from '../ports/alert-store.port.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Current state of a topic, from which a message can be created. */
export interface TopicState {
  /** State and content of the message to deliver; null while there is nothing to report. */
  readonly message: { readonly state: string; readonly body: string } | null;
  /** True if no further message about this topic can follow. */
  readonly isLast: boolean;
  /** Interval after which the topic is read again, in ms. */
  readonly pollAgainMs: number;
}

export interface TopicPorts {
  readonly submissions: Pick<Submissions, 'find'>;
  readonly alerts: AlertStore;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Returns true if alerts may be resolved now that no instance has observed recently. */
  readonly mayResolve: () => boolean;
}

/** Reads the state of a topic from the rows, from which the content of a message is created. */
export class TopicStates {
  constructor(
    private readonly ports: TopicPorts,
    private readonly holds: AlertHolds,
  ) {}

  /** Returns the current state of the delivery's topic; null for a topic that no longer exists. */
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
      pollAgainMs: pollAgainMs(answer),
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
    // If an alert is resolved before a message was sent about it, no message is sent at all.
    if (now?.state === 'resolved' && sequence === 0) return null;
    return {
      message: now === null ? null : { state: now.state, body: alertBody(alert, now) },
      isLast: now?.state === 'resolved',
      // Poll every second while an alert is not raised yet, so that polling does not delay the
      // message.
      pollAgainMs: now === null ? SECOND_MS : 5 * SECOND_MS,
    };
  }

  /**
   * Returns true if no later answer can replace this answer of the submission. A rejection can
   * still be corrected by a rollback, or by an outcome that a restored ledger reads from the chain.
   * Such a correction happens within a day.
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

function pollAgainMs(answer: SubmissionAnswer): number {
  if (answer.kind === 'pending') return SECOND_MS;
  const mayChangeSoon = answer.kind === 'executed' && answer.finality === 'PRE_CONFIRMED';
  return mayChangeSoon ? 2 * SECOND_MS : 5 * MINUTE_MS;
}
