export { InMemoryTaskStore } from './in-memory-task-store.js';
export { InMemoryTaskLeases } from './in-memory-task-leases.js';
export { FakeBalances } from './fake-balances.js';
