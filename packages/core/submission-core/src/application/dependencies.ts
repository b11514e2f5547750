import type { Clock, Logger } from '@sotto/kernel';
import type { CallReader } from '../ports/call-reader.port.js';
import type {
  AccountCheck,
  AccountHistory,
  Broadcaster,
  ChainReader,
  NonceHistory,
} from '../ports/chain.port.js';
import type { Ledger } from '../ports/ledger.port.js';
import type { Revalidator } from '../ports/revalidator.port.js';
import type { TransactionSigner } from '../ports/transaction-signer.port.js';
import type { FailpointHook } from './settings.js';
import type { SubmissionNotifier } from './submission-notifier.js';

/**
 * Dependencies of the submission machine. Each component declares the dependencies that it uses.
 */
export interface MachineDependencies {
  readonly ledger: Ledger;
  readonly reader: ChainReader;
  readonly history: NonceHistory;
  readonly accountCheck: AccountCheck;
  readonly accountHistory: AccountHistory;
  readonly broadcaster: Broadcaster;
  readonly calls: CallReader;
  readonly signer: TransactionSigner;
  readonly revalidator: Revalidator;
  readonly changes: SubmissionNotifier;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failpoint: FailpointHook;
}
