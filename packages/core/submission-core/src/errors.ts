import { DomainError, catalogued } from '@sotto/kernel';

/** The store could not answer; nothing is known to have been written. */
export class LedgerUnavailable extends DomainError {
  readonly code = 'LEDGER_UNAVAILABLE';
  readonly kind = 'unavailable';
}

/** Refused before anything was written: the queue of its role is as long as it may get. */
export class QueueFull extends catalogued({
  code: 'QUEUE_FULL',
  kind: 'unavailable',
  meaning: 'More submissions wait for a lane than the service takes on.',
  remedy: 'Nothing was accepted. Send the same request again after the time in Retry-After.',
}) {}

/** The ledger holds transactions of another chain. */
export class LedgerOfAnotherChain extends DomainError {
  readonly code = 'LEDGER_OF_ANOTHER_CHAIN';
  readonly kind = 'internal';
}

/**
 * The chain has transactions of our accounts that the ledger does not: nothing new is sent until
 * they are accounted for.
 */
export class LedgerBehindChain extends catalogued({
  code: 'LEDGER_BEHIND_CHAIN',
  kind: 'unavailable',
  meaning:
    'The ledger was restored or replaced, and what it had sent before is being read from the chain. Nothing new is sent until that is done.',
  remedy:
    'Nothing was accepted. Send the same request again after the time in Retry-After; what was in flight is answered as it is found.',
}) {}

/**
 * The last attempt of this call could still be brought back by a rollback, and its contract would
 * execute it twice.
 */
export class PreviousAttemptNotFinal extends catalogued({
  code: 'PREVIOUS_ATTEMPT_NOT_FINAL',
  kind: 'unavailable',
  meaning:
    'The last attempt of this call has ended at ACCEPTED_ON_L2, and a second one must wait until its block is final.',
  remedy:
    'Nothing was accepted. Ask again when the block of the last attempt is at ACCEPTED_ON_L1.',
}) {}
