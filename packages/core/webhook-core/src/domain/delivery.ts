import type { Alert } from './alert.js';

/** What an endpoint hears of. */
export const WEBHOOK_EVENTS = ['submissions', 'alerts'] as const;
export type WebhookEvents = (typeof WEBHOOK_EVENTS)[number];

/** A receiver that the operator has registered. Where it is and its secrets are the sender's. */
export interface WebhookEndpoint {
  readonly name: string;
  readonly events: WebhookEvents;
}

/** What messages are about. */
export interface Topic {
  readonly kind: 'submission' | 'alert';
  /** Id of the submission, or code of the alert. */
  readonly subject: string;
  /** What the alert is of; empty for a submission. */
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

/** A receiver's place for one topic: the row that its messages are made from. */
export interface Delivery extends Topic {
  readonly id: string;
  readonly endpoint: string;
  /** Raised by every claim and write; a write that names an older one is refused. */
  readonly version: number;
  /** Number of the wanted message, or of the last one; 0 before the first. */
  readonly sequence: number;
  /** State that the receiver has confirmed, or that was dropped; null before the first. */
  readonly deliveredState: string | null;
  /** State that is being delivered; null while there is nothing to deliver. */
  readonly wantedState: string | null;
  /** Since when it is wanted, by the store's clock; null where nothing is. */
  readonly waitedMs: number | null;
  /** Failed tries of the wanted message. */
  readonly failures: number;
}

/** The same for every try of one message, and for no other message. */
export const messageIdOf = ({ id, sequence }: Pick<Delivery, 'id' | 'sequence'>): string =>
  `msg_${id}.${sequence}`;
