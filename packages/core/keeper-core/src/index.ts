export {
  KeeperTask,
  skipped,
  type TaskDetails,
  type TaskGate,
  type TaskReport,
} from './ports/keeper-task.js';
export {
  TaskBook,
  type TaskControl,
  type TaskLook,
  type TaskSpending,
} from './ports/task-book.port.js';
export { TaskLeases } from './ports/task-leases.port.js';
export { retryVerdict, type RetryPolicy } from './domain/retry-verdict.js';
