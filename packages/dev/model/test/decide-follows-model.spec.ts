import { describe, expect, it } from '@jest/globals';
import { LATE, LOSSES, traceOf, walks, type TraceStep } from '../src/traces.mjs';
import { followTrace } from './support/follow-trace.js';

/**
 * Variants whose missing rule `decide` enforces, each with the command at which `decide` deviates
 * from the trace, and the reason. All other rules (about evidence, sends and reopening) are
 * enforced by the code that issues commands (`README.md`).
 */
const KEPT_BY_DECIDE = [
  ['M1', 'settle', 'stale_version'],
  ["M1''", 'settle', 'stale_version'],
  ['M2', 'store', 'stale_version'],
  ["M2'", 'store', 'stale_version'],
  ["M2''", 'settle', 'stale_version'],
  ['O', 'settle', 'stale_version'],
  ['R1', 'store', 'attempt_moved_on'],
  ['R2', 'refusal', 'proves_nothing'],
  ['R5', 'request', 'not_final'],
  ['K1', 'refusal', 'proves_nothing'],
  ["K1'", 'refusal', 'proves_nothing'],
  ['K2', 'refusal', 'other rows'],
  ['K3', 'refusal', 'other rows'],
  ['K4', 'refusal', 'other rows'],
  ['U4', 'request', 'not_final'],
  ['U5', 'settle', 'not_final'],
  ['U6', 'reopen', 'other rows'],
  ['Q0', 'request', 'ledger_behind'],
  ['Q1', 'quarantine_over', 'lane_quarantined'],
  ['C0', 'store', 'ledger_behind'],
  ['N1', 'store', 'attempt_moved_on'],
  ['N2', 'renew', 'attempt_moved_on'],
] as const;

/** Witnesses of the corrected design: situations that a trace must be able to reach. */
const WITNESSES = [
  'W1',
  'W2',
  'W5',
  'W6',
  'W7',
  'W8',
  'W9',
  'W10',
  'W11',
  'W12',
  'W13',
  'W14',
  'W15',
  'W16',
];

/** Commands and results that must occur in the walks. Otherwise the walks would test too little. */
const COMMANDS = [
  'adopt written',
  'claim written',
  'end_waiting attempt_moved_on',
  'end_waiting ledger_behind',
  'end_waiting not_final',
  'end_waiting written',
  'final written',
  'import written',
  'quarantine_over lane_quarantined',
  'quarantine_over written',
  'refusal proves_nothing',
  'refusal stale_fence',
  'refusal written',
  'renew attempt_moved_on',
  'renew written',
  'reopen written',
  'request already_live',
  'request already_succeeded',
  'request not_final',
  'request written',
  'settle nonce_settled',
  'settle stale_version',
  'settle written',
  'store cancel price_too_low',
  'store cancel stale_version',
  'store cancel written',
  'store fill no_gap',
  'store fill stale_version',
  'store fill written',
  'store prepare attempt_moved_on',
  'store prepare stale_version',
  'store prepare written',
  'store quarantine written',
  'store replace stale_version',
  'store replace written',
];

/** Returns true if a nonce has several no-ops with different prices. */
const hasSeveralNoops = ({ after }: TraceStep): boolean =>
  after.nonces.some(
    ({ transactions }) => Object.keys(transactions).filter((tx) => tx.startsWith('--')).length > 1,
  );

describe('decide', () => {
  it('decide returns the same results and writes the same rows as the checked model in random walks', async () => {
    const seen = new Set<string>();
    const all = [
      ...walks({ seed: 1, count: 150 }),
      ...walks({ seed: 1, count: 40, profiles: LOSSES }),
    ];
    for (const walk of all) {
      const deviation = await followTrace(walk, (command, answer) =>
        seen.add(`${command} ${answer}`),
      );
      expect(deviation).toBeNull();
    }
    expect([...seen]).toEqual(expect.arrayContaining(COMMANDS));
    expect(all.some(({ steps }) => steps.some(hasSeveralNoops))).toBe(true);
  });

  it('decide returns the same results as the checked model in random walks in which calls have a last block', async () => {
    const seen = new Set<string>();
    for (const walk of walks({ seed: 1, count: 60, profiles: LATE })) {
      const deviation = await followTrace(walk, (command, answer) =>
        seen.add(`${command} ${answer}`),
      );
      expect(deviation).toBeNull();
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'end_waiting written',
        'renew written',
        'settle written',
        'store cancel written',
        'store prepare written',
        'reopen written',
      ]),
    );
  });

  it.each(WITNESSES)('decide follows the checked model to the end of the trace: %s', async (id) => {
    expect(await followTrace(traceOf(id))).toBeNull();
  });

  it.each(KEPT_BY_DECIDE)(
    'decide deviates from the trace of the faulty model variant %s at the command %s: %s',
    async (id, at, because) => {
      expect(await followTrace(traceOf(id))).toMatchObject({ at, because });
    },
  );
});
