import { domainError } from '@sotto/kernel';

/** The store could not answer; nothing is known to have been written. */
export class LedgerUnavailable extends domainError('LEDGER_UNAVAILABLE') {}

/** Refused before anything was written: the queue of its role is as long as it may get. */
export class QueueFull extends domainError('QUEUE_FULL') {}

/** The ledger holds transactions of another chain. */
export class LedgerOfAnotherChain extends domainError('LEDGER_OF_ANOTHER_CHAIN') {}

/**
 * The chain has transactions of our accounts that the ledger does not: nothing new is sent until
 * they are accounted for.
 */
export class LedgerBehindChain extends domainError('LEDGER_BEHIND_CHAIN') {}

/** The node's newest block is older than the one that a plan has to be made from. */
export class NodeBehind extends domainError('NODE_BEHIND') {}

/**
 * The last attempt of this call could still be brought back by a rollback, and its contract would
 * execute it twice.
 */
export class PreviousAttemptNotFinal extends domainError('PREVIOUS_ATTEMPT_NOT_FINAL') {}

/**
 * The contract refuses the call; `details.reason` is its text without numbers of the call. The
 * caller acts on the reason.
 */
export class SimulationReverted extends domainError('SIMULATION_REVERTED') {}
