export { InMemoryTaskBook } from './in-memory-task-book.js';
export { InMemoryTaskLeases } from './in-memory-task-leases.js';
export { FakeBalances } from './fake-balances.js';
