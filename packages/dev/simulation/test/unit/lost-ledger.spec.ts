import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import type { SubmissionCommand } from '@sotto/submission-core';
import { Calls, type CallObserver } from '../../src/calls.js';
import { Chain } from '../../src/chain/chain.js';
import { Judge } from '../../src/judge.js';
import { OsProcess } from '../../src/os-process.js';
import { Streams } from '../../src/random.js';
import { Scheduler } from '../../src/scheduler.js';
import { Situations } from '../../src/situations.js';
import { Story } from '../../src/story.js';
import { Taps } from '../../src/taps.js';
import { record } from '../../src/weather.js';

const LANE = toFelt('0xa1');
const HASH = toFelt('0xca11');

const scheduler = new Scheduler();
const process = new OsProcess('P1', scheduler);

/** Creates a command with only those fields that the observer of the calls (`Taps`) reads. */
function commanded(command: object): SubmissionCommand {
  // CAST: the taps read no other fields.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { lane: LANE, nonce: 0n, hash: HASH, node: 'node-0', ...command } as SubmissionCommand;
}
const STORED = commanded({ type: 'store', transaction: { hash: HASH }, attempt: { key: 'K1' } });
const REFUSED = commanded({ type: 'refusal', code: 'X', cause: 'call' });

describe('Taps.ledgerLost', () => {
  let taps: Taps;
  beforeEach(() => {
    const chain = new Chain({
      accounts: [LANE],
      balanceFri: 1n,
      random: new Streams('chain').of('chain'),
      nowMs: () => 0,
    });
    taps = new Taps({
      judge: new Judge(chain, { nowMs: () => 0, rejectionsLie: false, comparedWithinMs: 0 }),
      story: new Story(scheduler, false),
      situations: new Situations(),
      isBroken: () => false,
      aim: () => undefined,
    });
  });
  const write = (...commands: readonly SubmissionCommand[]): void => {
    for (const command of commands)
      taps.answered(process, 'ledger.apply', [command], {
        applied: true,
        attempt: null,
        nonce: null,
        written: {},
      });
  };
  const lostBy = (by: 'empty' | 'copy'): readonly Felt[] => [...taps.ledgerLost(by).unknown];

  it('ledgerLost returns the transactions that the copied ledger does not contain', () => {
    taps.backUp();
    write(STORED);
    expect(lostBy('copy')).toEqual([HASH]);
    write(STORED);
    taps.backUp();
    expect(lostBy('empty')).toEqual([HASH]);
  });

  it('ledgerLost omits a transaction that the copied ledger contains', () => {
    write(STORED);
    taps.backUp();
    expect(lostBy('copy')).toEqual([]);
  });

  it('ledgerLost returns a transaction that the copied ledger contains as rejected if it was sent again later', () => {
    write(STORED, REFUSED);
    taps.backUp();
    write(STORED);
    expect(lostBy('copy')).toEqual([HASH]);
  });

  it('ledgerLost omits a transaction that is rejected in the copied ledger and in the lost ledger', () => {
    write(STORED, REFUSED);
    taps.backUp();
    expect(lostBy('copy')).toEqual([]);
  });
});

describe('calls inside another call', () => {
  it('the observer records a call that was made inside another call, such as an adoption', async () => {
    const seen: string[] = [];
    const observer: CallObserver = {
      called: (_, name) => void seen.push(`called ${name}`),
      answered: (_, name, args, answer) =>
        void seen.push(`answered ${name} ${String(args[0])} ${String(answer)}`),
      failed: () => undefined,
      faulty: () => undefined,
      died: () => undefined,
    };
    const calls = new Calls(
      scheduler,
      new Streams('calls'),
      record(() => 1),
      new Set(),
      observer,
      { rejectionsLie: false, rejectionsAreLate: false },
    );
    const ledger = calls.within(process, 'ledger', { apply: async (what: string) => `${what}!` });
    expect(await ledger.apply('adopt')).toBe('adopt!');
    expect(seen).toEqual(['called ledger.apply', 'answered ledger.apply adopt adopt!']);
  });
});
