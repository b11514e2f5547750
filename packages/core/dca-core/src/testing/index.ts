export { FakeClosesDown, FakeDailyCloses } from './fake-daily-closes.js';
export { FakePurchaseChain, encodeOrder, type FakeOrder } from './fake-purchase-chain.js';
export { InMemoryClosesBook } from './in-memory-closes-book.js';
export { InMemoryOrderBook } from './in-memory-order-book.js';
export { describeClosesBookContract, type ClosesBookHarness } from './closes-book.contract.js';
export { describeDailyClosesContract, type DailyClosesHarness } from './daily-closes.contract.js';
export { describeOrderBookContract, type OrderBookHarness } from './order-book.contract.js';
export {
  describePurchaseOrdersContract,
  type PurchaseOrdersHarness,
} from './purchase-orders.contract.js';
