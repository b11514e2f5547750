export { FakeAlertSource, FakeWebhookSender } from './fakes.js';
export { InMemoryAlertStore, InMemoryDeliveryStore } from './in-memory-stores.js';
