export { FakeClosesDown, FakeDailyCloses } from './fake-daily-closes.js';
export { FakePurchaseChain, encodeOrder, type FakeOrder } from './fake-purchase-chain.js';
export { InMemoryClosesBook } from './in-memory-closes-book.js';
export { InMemoryOrderBook } from './in-memory-order-book.js';
