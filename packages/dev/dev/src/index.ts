export type {
  AccountName,
  Credential,
  DevAccount,
  DevDescription,
  DevPool,
  DevToken,
  PoolKey,
  ServiceDescription,
  TokenSymbol,
} from './description.js';
export { PortTaken } from './claim-port.js';
export { DevError } from './dev-error.js';
export type { ExistingChain, ServiceAccount } from './existing-chain.js';
export type { Fault } from './fault.js';
export type {
  DevHelpers,
  MadeDeposit,
  PoolName,
  ReadyWithdrawal,
  ReadyWithdrawalTerms,
} from './helpers.js';
export {
  connectDev,
  startDev,
  startService,
  type DevOptions,
  type DevStack,
  type RunningService,
  type ServiceOptions,
} from './start-dev.js';
export type { Listener, Running, StopOptions } from './running.js';
