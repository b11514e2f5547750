import type { TestRunner } from '@sotto/kernel/testing';
import { describeAttemptEventsContract } from './ledger-attempt-events.contract.js';
import { describeConcurrentRecordsContract } from './ledger-concurrency.contract.js';
import { describeLedgerConstraintsContract } from './ledger-constraints.contract.js';
import type { StartLedger } from './ledger-harness.js';
import { describeLaneEventsContract } from './ledger-lane-events.contract.js';
import { describeLeasesContract } from './ledger-leases.contract.js';
import { describeLanesContract } from './ledger-lanes.contract.js';
import { describeLedgerReadsContract } from './ledger-reads.contract.js';
import { describeSettlementsContract } from './ledger-settlements.contract.js';
import { describeRedactionContract } from './ledger-redaction.contract.js';
import { describeWrittenRowsContract } from './ledger-written.contract.js';

/**
 * Tests that apply to every `Ledger`: conditions and writes of each command, concurrent writers,
 * the store's own constraints, leases, reads and redaction.
 */
export function describeLedgerContract(runner: TestRunner, name: string, start: StartLedger): void {
  const { describe } = runner;
  describe(`Ledger contract (${name})`, () => {
    describeAttemptEventsContract(runner, start);
    describeLaneEventsContract(runner, start);
    describeSettlementsContract(runner, start);
    describeLanesContract(runner, start);
    describeConcurrentRecordsContract(runner, start);
    describeLedgerConstraintsContract(runner, start);
    describeLeasesContract(runner, start);
    describeLedgerReadsContract(runner, start);
    describeRedactionContract(runner, start);
    describeWrittenRowsContract(runner, start);
  });
}
