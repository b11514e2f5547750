import { domainError } from '@sotto/kernel';

/** The operator has registered no such endpoint for submissions. */
export class WebhookUnknown extends domainError('WEBHOOK_UNKNOWN') {}

/** As many messages of the endpoint wait as may. */
export class WebhookQueueFull extends domainError('WEBHOOK_QUEUE_FULL') {}

/** The submission notifies as many endpoints as it may. */
export class WebhookListFull extends domainError('WEBHOOK_LIST_FULL') {}
