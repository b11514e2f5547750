export { retryVerdict, type RetryPolicy } from './domain/retry-verdict.js';
export { continueStreak, longestGapMs, type Streak } from './domain/streak.js';
export { type TaskSettings } from './domain/task-settings.js';
export { TaskNotFound } from './errors.js';
export {
  KeeperTask,
  skipped,
  type TaskDetails,
  type TaskGate,
  type TaskReport,
} from './ports/keeper-task.js';
export {
  TaskStore,
  type EarnedFee,
  type LastActed,
  type TaskControl,
  type TaskPoll,
  type TaskSpending,
} from './ports/task-store.port.js';
export { TaskLeases, type LapsedHold, type TaskHolder } from './ports/task-leases.port.js';
export { alertReasonOf, alertsOf, type TaskAlert } from './application/task-alerts.js';
export { ControlTasks } from './application/control-tasks.js';
export {
  GetKeeperStatus,
  type ConfiguredTask,
  type KeeperStatusPorts,
  type SubjectStatus,
  type TaskStatus,
} from './application/get-keeper-status.js';
export { skippedBy, skippedFor } from './application/skipped-by.js';
export {
  TaskBudgets,
  type TaskBudget,
  type TaskBudgetsPorts,
  type WindowBudget,
} from './application/task-budgets.js';
export { resumedAt } from './application/task-controls.js';
export { TaskCounters, type TaskCount, type TaskOutcome } from './application/task-counters.js';
export {
  TaskRunner,
  type TaskRunnerPolicy,
  type TaskRunnerPorts,
} from './application/task-runner.js';
export { WatchTasks, type WatchTasksPorts } from './application/watch-tasks.js';
export { TaskCalls, type TaskCallPorts } from './application/task-calls.js';
export {
  RepeatedTask,
  shownCallFingerprint,
  type RepeatedTaskPorts,
  type TaskTurn,
} from './application/repeated-task.js';
export { TRANSFER_LIMITS, readTransferCall, transferCall } from './domain/transfer.js';
export { Balances } from './ports/balances.port.js';
export { attemptsSince } from './application/attempts-since.js';
