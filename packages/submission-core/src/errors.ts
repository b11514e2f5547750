import { Fault, catalogued } from '@sotto/kernel';

/** The store could not answer; nothing is known to have been written. */
export class LedgerUnavailable extends Fault {
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
