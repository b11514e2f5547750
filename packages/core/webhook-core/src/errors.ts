import { domainError } from '@sotto/kernel';

/** The operator has not registered an endpoint of this name for submissions. */
export class WebhookUnknown extends domainError('WEBHOOK_UNKNOWN') {}

/** The endpoint has the maximum number of waiting messages. */
export class WebhookQueueFull extends domainError('WEBHOOK_QUEUE_FULL') {}

/** The submission has the maximum number of endpoints. */
export class WebhookListFull extends domainError('WEBHOOK_LIST_FULL') {}
