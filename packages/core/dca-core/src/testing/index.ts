export { FakeClosesDown, FakeDailyCloses } from './fake-daily-closes.js';
export { FakePurchaseChain, encodeOrder, type FakeOrder } from './fake-purchase-chain.js';
export { InMemoryClosesStore } from './in-memory-closes-store.js';
export { InMemoryOrderStore } from './in-memory-order-store.js';
