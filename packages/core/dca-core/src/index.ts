export {
  FollowOrders,
  type FollowOrdersPolicy,
  type FollowOrdersPorts,
  type FollowedOrders,
} from './application/follow-orders.js';
export {
  GetMayerMultiple,
  type MayerReply,
  type ShownMultiple,
} from './application/get-mayer-multiple.js';
export {
  ListOrders,
  type ListOrdersInput,
  type ListOrdersPolicy,
  type ListOrdersPorts,
  type ListedOrder,
  type OrderList,
} from './application/list-orders.js';
export {
  MayerMultiples,
  type MayerMultiplesPolicy,
  type MayerMultiplesPorts,
} from './application/mayer-multiples.js';
export {
  PurchaseCalls,
  type PurchaseCallsPolicy,
  type PurchaseCallsPorts,
} from './application/purchase-calls.js';
export {
  PurchaseRevalidator,
  type PurchaseRevalidatorPolicy,
} from './application/purchase-revalidator.js';
export {
  PurchaseTask,
  type PurchaseTaskPolicy,
  type PurchaseTaskPorts,
} from './application/purchase-task.js';
export {
  RefreshCloses,
  type RefreshClosesPolicy,
  type RefreshedSource,
} from './application/refresh-closes.js';
export { dayOf, type DailyClose, type SourcedClose } from './domain/daily-close.js';
export { orderIdOf } from './domain/execution.js';
export type { Band } from './domain/mayer-multiple.js';
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
export { ClosesStore } from './ports/closes-store.port.js';
export { DailyCloses } from './ports/daily-closes.port.js';
export { OrderStore, type OrderProgress } from './ports/order-store.port.js';
export {
  PurchaseOrders,
  type OpenedOrder,
  type OpenedOrders,
} from './ports/purchase-orders.port.js';
