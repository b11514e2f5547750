import type { Alert } from './alert.js';

/** Events that an endpoint can be registered for. */
export const WEBHOOK_EVENTS = ['submissions', 'alerts'] as const;
export type WebhookEvents = (typeof WEBHOOK_EVENTS)[number];

/** A receiver registered by the operator. The sender knows its address and secrets. */
export interface WebhookEndpoint {
  readonly name: string;
  readonly events: WebhookEvents;
}

/** Subject of messages. */
export interface Topic {
  readonly kind: 'submission' | 'alert';
  /** Id of the submission, or code of the alert. */
  readonly subject: string;
  /** Component of the alert; empty for a submission. */
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

/** Row of one topic and one endpoint, from which its messages are created. */
export interface Delivery extends Topic {
  readonly id: string;
  readonly endpoint: string;
  /** Incremented by every claim and write; a write that names an older one is rejected. */
  readonly version: number;
  /** Number of the wanted message, or of the last one; 0 before the first. */
  readonly sequence: number;
  /** State that the receiver has confirmed, or that was dropped; null before the first. */
  readonly deliveredState: string | null;
  /** State that is being delivered; null while there is nothing to deliver. */
  readonly wantedState: string | null;
  /** Age of the wanted message by the store's clock, in milliseconds; null if there is none. */
  readonly waitedMs: number | null;
  /** Failed attempts for the wanted message. */
  readonly failures: number;
}

/** Message id: the same for every attempt of one message, and unique among messages. */
export const messageIdOf = ({ id, sequence }: Pick<Delivery, 'id' | 'sequence'>): string =>
  `msg_${id}.${sequence}`;
