export { describeClosesStoreContract, type ClosesStoreHarness } from './closes-store.contract.js';
export { describeDailyClosesContract, type DailyClosesHarness } from './daily-closes.contract.js';
export { describeOrderStoreContract, type OrderStoreHarness } from './order-store.contract.js';
export {
  describePurchaseOrdersContract,
  type PurchaseOrdersHarness,
} from './purchase-orders.contract.js';
