import type { Alert } from './alert.js';

/** Kinds of events that an endpoint can be registered for. */
export const WEBHOOK_EVENTS = ['submissions', 'alerts'] as const;
export type WebhookEvents = (typeof WEBHOOK_EVENTS)[number];

/**
 * Receiver that the operator has registered. The receiver's address and secrets are known only to
 * the webhook sender.
 */
export interface WebhookEndpoint {
  readonly name: string;
  readonly events: WebhookEvents;
}

/** Submission or alert that messages are about. */
export interface Topic {
  readonly kind: 'submission' | 'alert';
  /** Id of the submission, or code of the alert. */
  readonly subject: string;
  /** Component that the alert affects; empty for a submission. */
  readonly component: string;
}

export const submissionTopic = (id: string): Topic => ({
  kind: 'submission',
  subject: id,
  component: '',
});

export const alertTopic = ({ code: subject, component }: Alert): Topic => ({
  kind: 'alert',
  subject,
  component,
});

export const topicOf = ({ kind, subject, component }: Topic): Topic => ({
  kind,
  subject,
  component,
});

/** Row of one topic and one endpoint, from which messages to this endpoint are created. */
export interface Delivery extends Topic {
  readonly id: string;
  readonly endpoint: string;
  /**
   * Version of the row, incremented by every claim and write. A write with an older version is
   * rejected.
   */
  readonly version: number;
  /**
   * Number of the message that is being delivered, or else of the last message; 0 before the first
   * message.
   */
  readonly sequence: number;
  /**
   * State that the receiver has confirmed, or whose message was dropped. Null before the first
   * message.
   */
  readonly deliveredState: string | null;
  /** State that is being delivered; null while there is nothing to deliver. */
  readonly wantedState: string | null;
  /**
   * Age of the message that is being delivered, by the store's clock, in ms; null if no message is
   * being delivered.
   */
  readonly waitedMs: number | null;
  /** Number of failed attempts to deliver the current message. */
  readonly failures: number;
}

/**
 * Returns the message id. Each attempt of a message has the same id, and no other message has it.
 */
export const messageIdOf = ({ id, sequence }: Pick<Delivery, 'id' | 'sequence'>): string =>
  `msg_${id}.${sequence}`;
