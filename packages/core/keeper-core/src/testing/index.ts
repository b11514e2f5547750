export { InMemoryTaskBook } from './in-memory-task-book.js';
export { InMemoryTaskLeases } from './in-memory-task-leases.js';
export { describeTaskBookContract, type TaskBookHarness } from './task-book.contract.js';
export { describeTaskLeasesContract, type TaskLeasesHarness } from './task-leases.contract.js';
