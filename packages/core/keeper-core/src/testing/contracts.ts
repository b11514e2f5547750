export { describeTaskBookContract, type TaskBookHarness } from './task-book.contract.js';
export { describeTaskLeasesContract, type TaskLeasesHarness } from './task-leases.contract.js';
export { describeBalancesContract } from './balances.contract.js';
