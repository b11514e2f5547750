export { Attributions } from './application/attributions.js';
export { ControlPools } from './application/control-pools.js';
export {
  EarlyChecks,
  type EarlyCheckPolicy,
  type PinnedGuard,
} from './application/early-checks.js';
export {
  PoolCircuitBreaker,
  type GuardPolicy,
  type GuardedPool,
} from './application/pool-circuit-breaker.js';
export { SettlementWindow } from './application/settlement-window.js';
export type { AttemptKind } from './domain/money.js';
export type { GuardLimits, PauseCause, PoolVerdict } from './domain/pool-circuit-breaker.js';
export { PAUSED_FOR, opennessOf, type PoolOpenness } from './domain/pool-openness.js';
export type { PoolPnl } from './domain/pool-pnl.js';
export { PoolControls, type PoolControl } from './ports/pool-controls.port.js';
export {
  SettlementHistory,
  type CallOutcome,
  type LiveEntry,
  type MoneyEntry,
  type NoteRevert,
} from './ports/settlement-history.port.js';
