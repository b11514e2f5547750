export { describeTaskStoreContract, type TaskStoreHarness } from './task-store.contract.js';
export { describeTaskLeasesContract, type TaskLeasesHarness } from './task-leases.contract.js';
export { describeBalancesContract } from './balances.contract.js';
