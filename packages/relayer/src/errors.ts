import { domainError } from '@sotto/kernel';

// Refusals of functions that the settings disable.

/** This instance has no bridge protocol. */
export class BridgeDisabled extends domainError('BRIDGE_DISABLED') {}

/** This instance has no aggregator or no swap pool to swap with. */
export class PrivateSwapDisabled extends domainError('PRIVATE_SWAP_DISABLED') {}

/** This instance does not run the task of the keeper. */
export class TaskDisabled extends domainError('TASK_DISABLED') {}
