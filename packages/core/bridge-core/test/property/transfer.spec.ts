import { describe, expect, it } from '@jest/globals';
import {
  assert,
  array,
  boolean,
  constantFrom,
  integer,
  property,
  record,
  tuple,
  type Arbitrary,
} from 'fast-check';
import { reportTransfer } from '../../src/domain/transfer-status.js';
import type { StepDetail, TransferStatusReport } from '../../src/domain/status-report.js';
import { STEP_NAMES } from '../../src/domain/step-names.js';
import { UNSEEN, advance, hasEnded, type Transfer } from '../../src/domain/transfer.js';

const NOW = 1_800_000_000;

const aDetail: Arbitrary<StepDetail> = record(
  {
    completedAtSeconds: integer({ min: -5, max: NOW + 5_000 }),
    txHash: constantFrom('0xa', '0xb'),
  },
  { requiredKeys: [] },
);
const aSighting: Arbitrary<TransferStatusReport> = record({
  completedSteps: integer({ min: 0, max: 5 }),
  next: constantFrom('pending', 'processing', 'failed'),
  refunded: boolean(),
  output: constantFrom(undefined, { tokens: '0', symbol: null }, { tokens: '7', symbol: 'STRK' }),
  refund: constantFrom(undefined, { tokens: '0', symbol: null }, { tokens: '9', symbol: null }),
  isDepositIncomplete: boolean(),
  reasonText: constantFrom(undefined, 'one', 'another'),
  details: record(Object.fromEntries(STEP_NAMES.map((step) => [step, aDetail])), {
    requiredKeys: [],
  }),
});
/** Generator of observed reports with their times. The clock may stop or go backwards. */
const anObservation = tuple(aSighting, integer({ min: NOW - 10, max: NOW + 1_000 }));
const observations = array(anObservation, { minLength: 1, maxLength: 12 });

const RANK = { pending: 0, processing: 1, completed: 2, failed: 2 } as const;

/** Returns the initial state and the state after each report. */
function history(sightings: readonly (readonly [TransferStatusReport, number])[]): Transfer[] {
  let transfer = UNSEEN;
  return [
    UNSEEN,
    ...sightings.map(
      ([reportedStatus, now]) => (transfer = advance(transfer, reportedStatus, now)),
    ),
  ];
}

function forEveryTransition(check: (before: Transfer, after: Transfer) => void): void {
  assert(
    property(observations, (sightings) => {
      const states = history(sightings);
      states.slice(1).forEach((after, index) => check(states[index] ?? UNSEEN, after));
    }),
  );
}

describe('a transfer under any sequence of reports', () => {
  it('no report moves a step of a bridge transfer back to an earlier state', () => {
    forEveryTransition((before, after) => {
      const ranks = reportTransfer(before, NOW).steps.map(({ status }) => RANK[status]);
      reportTransfer(after, NOW).steps.forEach(({ status }, index) =>
        expect(RANK[status]).toBeGreaterThanOrEqual(ranks[index] ?? 0),
      );
    });
  });

  it('each completion time and transaction hash of a bridge transfer is set only once', () => {
    forEveryTransition((before, after) => {
      expect(after.completedAtSeconds.slice(0, before.completedAtSeconds.length)).toEqual(
        before.completedAtSeconds,
      );
      expect(after.txHashes).toMatchObject(before.txHashes);
    });
  });

  it('the times of a bridge transfer’s completed steps are in order and not in the future', () => {
    assert(
      property(observations, (sightings) => {
        const latest = Math.max(...sightings.map(([, now]) => now));
        for (const transfer of history(sightings)) {
          const times = reportTransfer(transfer, NOW).steps.map(({ status, timestampSeconds }) => {
            expect(timestampSeconds !== null).toBe(status === 'completed');
            return timestampSeconds ?? latest;
          });
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(Math.max(...times)).toBeLessThanOrEqual(latest);
          expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('the steps of a bridge transfer run in order, one at a time, and at most one step fails', () => {
    assert(
      property(observations, (sightings) => {
        for (const transfer of history(sightings)) {
          const statuses = reportTransfer(transfer, NOW).steps.map(({ status }) => status);
          const firstOpen = statuses.findIndex((status) => status !== 'completed');
          expect(
            firstOpen < 0
              ? []
              : statuses.slice(firstOpen + 1).filter((status) => status !== 'pending'),
          ).toEqual([]);
        }
      }),
    );
  });

  it('a bridge transfer is completed exactly if all its steps are completed', () => {
    assert(
      property(observations, (sightings) => {
        for (const transfer of history(sightings)) {
          const { status, steps, refund } = reportTransfer(transfer, NOW);
          expect(status === 'completed').toBe(steps.every((step) => step.status === 'completed'));
          expect(refund !== null).toBe(steps.some((step) => step.status === 'failed'));
        }
      }),
    );
  });

  it('a bridge transfer that has ended changes only by late hashes and a late amount', () => {
    forEveryTransition((before, after) => {
      const isAmountLate = before.amounts.output === null && after.amounts.output !== null;
      const amounts = isAmountLate ? before.amounts : after.amounts;
      const changed = { ...after, txHashes: before.txHashes, amounts };
      expect(hasEnded(before) ? changed : before).toEqual(before);
    });
  });

  it('a repeated equal report does not change a bridge transfer', () => {
    assert(
      property(observations, anObservation, (sightings, [reportedStatus, now]) => {
        const once = advance(history(sightings).at(-1) ?? UNSEEN, reportedStatus, now);
        expect(advance(once, reportedStatus, now + 1)).toBe(once);
      }),
    );
  });

  it('a report about an earlier step does not change the progress of a bridge transfer', () => {
    assert(
      property(observations, anObservation, (sightings, [reportedStatus, now]) => {
        const before = history(sightings).at(-1) ?? UNSEEN;
        const { completedAtSeconds } = before;
        const late: TransferStatusReport = {
          ...reportedStatus,
          completedSteps: completedAtSeconds.length - 1,
          next: 'processing',
        };
        const after = advance(before, late, now);
        expect(after.completedAtSeconds).toEqual(completedAtSeconds);
        expect(after.next).toBe(before.next);
      }),
    );
  });

  it('a bridge transfer reaches the furthest reported step if no step fails', () => {
    const working = array(
      tuple(
        aSighting.map((reportedStatus) => ({
          ...reportedStatus,
          next: 'processing' as const,
          output: { tokens: '7', symbol: 'STRK' },
          refund: undefined,
        })),
        integer({ min: NOW, max: NOW + 9 }),
      ),
    );
    assert(
      property(working, (sightings) => {
        const furthest = Math.max(0, ...sightings.map(([{ completedSteps }]) => completedSteps));
        expect(history(sightings).at(-1)?.completedAtSeconds).toHaveLength(furthest);
      }),
    );
  });
});
