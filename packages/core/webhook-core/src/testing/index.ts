export { FakeAlertSource, FakeWebhookSender } from './fakes.js';
export { InMemoryAlertBook, InMemoryDeliveryBook } from './in-memory-books.js';
