export { describeAlertBookContract, type AlertBookHarness } from './alert-book.contract.js';
export {
  describeDeliveryBookContract,
  type DeliveryBookHarness,
} from './delivery-book.contract.js';
