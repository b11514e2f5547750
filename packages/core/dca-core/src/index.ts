export { dayOf, type DailyClose, type SourcedClose } from './domain/daily-close.js';
export { isEnded, parseOrder, type Order } from './domain/order.js';
export {
  ORDER_FIELD_NAMES,
  feltsOf,
  feltsOfOrder,
  layoutProblems,
  readValue,
  type ExecutionRecipe,
  type FieldSize,
  type OrderField,
  type OrderFieldName,
  type OrderLayout,
  type PurchaseContract,
} from './domain/order-layout.js';
export { ClosesBook } from './ports/closes-book.port.js';
export { DailyCloses } from './ports/daily-closes.port.js';
export { OrderBook, type OrderProgress } from './ports/order-book.port.js';
export {
  PurchaseOrders,
  type OpenedOrder,
  type OpenedOrders,
} from './ports/purchase-orders.port.js';
