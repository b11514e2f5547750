export { describeClosesBookContract, type ClosesBookHarness } from './closes-book.contract.js';
export { describeDailyClosesContract, type DailyClosesHarness } from './daily-closes.contract.js';
export { describeOrderBookContract, type OrderBookHarness } from './order-book.contract.js';
export {
  describePurchaseOrdersContract,
  type PurchaseOrdersHarness,
} from './purchase-orders.contract.js';
