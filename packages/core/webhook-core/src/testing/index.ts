export { FakeAlertSource, FakeWebhookSender } from './fakes.js';
export { InMemoryAlertBook } from './in-memory-alert-book.js';
export { InMemoryDeliveryBook } from './in-memory-delivery-book.js';
