export { InMemoryClosesBook } from './in-memory-closes-book.js';
export { InMemoryOrderBook } from './in-memory-order-book.js';
export { describeClosesBookContract, type ClosesBookHarness } from './closes-book.contract.js';
export { describeOrderBookContract, type OrderBookHarness } from './order-book.contract.js';
