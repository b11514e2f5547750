export {
  HttpsWebhookSender,
  type WebhookSenderOptions,
  type WebhookTarget,
} from './https-webhook-sender.js';
