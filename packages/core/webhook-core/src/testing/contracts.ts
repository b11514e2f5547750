export { describeAlertStoreContract, type AlertStoreHarness } from './alert-store.contract.js';
export {
  describeDeliveryStoreContract,
  type DeliveryStoreHarness,
} from './delivery-store.contract.js';
