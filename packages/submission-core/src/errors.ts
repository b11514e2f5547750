import { Fault } from '@sotto/kernel';

/** The store could not answer; nothing is known to have been written. */
export class LedgerUnavailable extends Fault {
  readonly code = 'LEDGER_UNAVAILABLE';
  readonly kind = 'unavailable';
}
