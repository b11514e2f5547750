import { describe, expect, it } from '@jest/globals';
import type { SubmissionCommand, SubmissionCommandType } from '../../src/domain/events.js';
import { readsOf, type ReadScope } from '../../src/domain/machine-state.js';
import {
  InMemoryLedger,
  LedgerDriver,
  aSignedTransaction,
  foreign,
} from '../../src/testing/index.js';

const REF = { key: 'k', attempt: 1 };
const LANES_ONLY: ReadScope = { lanes: true, callers: 'none', liveAbove: false };
const CALLERS: ReadScope = { ...LANES_ONLY, callers: 'rows' };
const HISTORIES: ReadScope = { ...LANES_ONLY, callers: 'histories' };

/** Returns the last command that the driver writes. */
async function written(write: (driver: LedgerDriver) => Promise<unknown>) {
  let last: SubmissionCommand | undefined;
  const ledger = new InMemoryLedger({
    decide: (command) => {
      last = command;
      return { applied: false, because: 'unknown_row' };
    },
  });
  await write(new LedgerDriver(ledger));
  if (last === undefined) throw new Error('the driver wrote no command');
  return last;
}

describe('rows that a decision reads', () => {
  it.each<[SubmissionCommandType, string, (driver: LedgerDriver) => Promise<unknown>, ReadScope]>([
    ['request', '', (driver) => driver.request('a'), LANES_ONLY],
    ['renew', '', (driver) => driver.renew(REF, 'a'), LANES_ONLY],
    ['end_waiting', '', (driver) => driver.endWaiting(REF), LANES_ONLY],
    ['adopt', '', (driver) => driver.adopt(0n, 'a', foreign), LANES_ONLY],
    ['introduce', '', (driver) => driver.introduce(0n), LANES_ONLY],
    ['quarantine', '', (driver) => driver.quarantine(1n), LANES_ONLY],
    ['end_quarantine', '', (driver) => driver.endQuarantine(), LANES_ONLY],
    ['claim', '', (driver) => driver.claim(0n, foreign.hash), CALLERS],
    ['finalize', '', (driver) => driver.finalize(0n), CALLERS],
    ['import', '', (driver) => driver.import(0n), CALLERS],
    ['refusal', '', (driver) => driver.refuse(0n, foreign.hash), HISTORIES],
    ['settle', '', (driver) => driver.settle(0n, foreign), HISTORIES],
    ['reopen', '', (driver) => driver.reopen(0n), HISTORIES],
    [
      'observe',
      '',
      (driver) => driver.observe(0n, foreign.hash, null),
      { lanes: false, callers: 'rows', liveAbove: false },
    ],
    ['store', ' of a call', (driver) => driver.store(REF, 0n, aSignedTransaction('a')), LANES_ONLY],
    [
      'store',
      ' of a no-op',
      (driver) => driver.store(null, 0n, aSignedTransaction('no-op')),
      { lanes: true, callers: 'rows', liveAbove: true },
    ],
  ])(
    'the %s command%s reads only the rows that its decision needs',
    async (type, _of, write, reads) => {
      const command = await written(write);
      expect(command.type).toBe(type);
      expect(readsOf(command)).toEqual(reads);
    },
  );
});
