import { domainError } from '@sotto/kernel';

// Errors of functions that the settings disable.

/** Rejects bridge requests because this instance has no bridge protocol. */
export class BridgeDisabled extends domainError('BRIDGE_DISABLED') {}

/** Rejects private swaps because this instance has no aggregator or no swap pool. */
export class PrivateSwapDisabled extends domainError('PRIVATE_SWAP_DISABLED') {}

/** Rejects requests because this instance does not run the keeper's task. */
export class TaskDisabled extends domainError('TASK_DISABLED') {}
