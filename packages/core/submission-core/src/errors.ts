import { domainError } from '@sotto/kernel';

/** The store could not answer; it is unknown whether the store has written anything. */
export class LedgerUnavailable extends domainError('LEDGER_UNAVAILABLE') {}

/**
 * The submission was rejected before anything was written, because the queue of its role is full.
 */
export class QueueFull extends domainError('QUEUE_FULL') {}

/** The ledger holds transactions of another chain. */
export class LedgerOfAnotherChain extends domainError('LEDGER_OF_ANOTHER_CHAIN') {}

/**
 * The chain has transactions of our accounts that the ledger lacks. No new call is sent until the
 * ledger has recorded these transactions.
 */
export class LedgerBehindChain extends domainError('LEDGER_BEHIND_CHAIN') {}

/** The node's newest block is older than the block that a plan must be based on. */
export class NodeBehind extends domainError('NODE_BEHIND') {}

/**
 * The last attempt of this call could still be executed after a rollback. Together with a new
 * attempt, the contract would then execute the call twice.
 */
export class PreviousAttemptNotFinal extends domainError('PREVIOUS_ATTEMPT_NOT_FINAL') {}

/**
 * The contract rejects the call. `details.reason` is the contract's text without the numbers that
 * belong to the call, so that the caller can act on the reason.
 */
export class SimulationReverted extends domainError('SIMULATION_REVERTED') {}
