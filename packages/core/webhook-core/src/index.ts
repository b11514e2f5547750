export { AlertMemory, DeliverFromMemory } from './application/alert-memory.js';
export { DeliverToEndpoint, type DeliveryPorts } from './application/deliver-to-endpoint.js';
export { DeliveryCounters, type DeliveryResult } from './application/delivery-counters.js';
export { ForgetDeliveries } from './application/forget-deliveries.js';
export { NotifySubmission, type QueueBounds } from './application/notify-submission.js';
export { TopicStates, type TopicPorts } from './application/topic-state.js';
export { WatchAlerts, type AlertPorts } from './application/watch-alerts.js';
export type { Alert, AlertHolds, AlertSighting, AlertState, SeenAlert } from './domain/alert.js';
export {
  WEBHOOK_EVENTS,
  submissionTopic,
  type Delivery,
  type Topic,
  type WebhookEndpoint,
  type WebhookEvents,
} from './domain/delivery.js';
export { SigningKey, signatureHeaders, type Message } from './domain/signature.js';
export { SUBMISSION_STATES, type SubmissionState } from './domain/submission-state.js';
export { WebhookListFull, WebhookQueueFull, WebhookUnknown } from './errors.js';
export { AlertStore } from './ports/alert-store.port.js';
export { AlertSource } from './ports/alert-source.port.js';
export { DeliveryStore, type Claim } from './ports/delivery-store.port.js';
export {
  SEND_FAILURES,
  WebhookSender,
  type SendFailure,
  type SendResult,
} from './ports/webhook-sender.port.js';
