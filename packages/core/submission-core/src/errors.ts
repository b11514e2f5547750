import { domainError } from '@sotto/kernel';

/** The store could not answer; it is unknown whether anything was written. */
export class LedgerUnavailable extends domainError('LEDGER_UNAVAILABLE') {}

/** Rejected before anything was written: the queue of its role is full. */
export class QueueFull extends domainError('QUEUE_FULL') {}

/** The ledger holds transactions of another chain. */
export class LedgerOfAnotherChain extends domainError('LEDGER_OF_ANOTHER_CHAIN') {}

/**
 * The chain has transactions of our accounts that the ledger lacks: nothing new is sent until they
 * are accounted for.
 */
export class LedgerBehindChain extends domainError('LEDGER_BEHIND_CHAIN') {}

/** The node's newest block is older than the block that a plan must be based on. */
export class NodeBehind extends domainError('NODE_BEHIND') {}

/**
 * A rollback could still bring back the last attempt of this call, and its contract would execute
 * it twice.
 */
export class PreviousAttemptNotFinal extends domainError('PREVIOUS_ATTEMPT_NOT_FINAL') {}

/**
 * The contract rejects the call. `details.reason` is its text without numbers of the call. The
 * caller acts on the reason.
 */
export class SimulationReverted extends domainError('SIMULATION_REVERTED') {}
