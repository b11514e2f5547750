import { skippedFor } from './skipped-by.js';
import type { TaskGate, TaskReport } from '../ports/keeper-task.js';
import type { Clock, Felt, Felts } from '@sotto/kernel';
import {
  type CallPurpose,
  type CallTarget,
  type NextSubmission,
  type RepeatedSubmissions,
  type ResourceLimits,
  type Snapshot,
  type Snapshots,
  type Submissions,
} from '@sotto/submission-core';
import type { TaskCalls } from './task-calls.js';

export interface TreasurySeriesPorts {
  readonly submissions: Pick<Submissions, 'submit' | 'checkQueueCapacity'>;
  readonly repeated: RepeatedSubmissions;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
}

/** The submission that may be opened, and the block that it is planned from. */
export interface TreasuryTurn {
  readonly next: NextSubmission;
  readonly at: Snapshot;
}

/** A call of the treasury's account. */
export interface TreasuryCall extends CallPurpose {
  readonly target: CallTarget;
  readonly calldata: Felts;
  readonly limits: ResourceLimits;
  /** After its acceptance. @default the service's deadline */
  readonly sendWithinMs?: number;
}

const ROLE = 'treasury';

/**
 * What the treasury's account sends again and again under one name. Each submission is planned from
 * a block that holds the one before, so that an old answer of a node pays nothing twice; and those
 * who plan the same number at once get one attempt.
 */
export class TreasurySeries {
  constructor(
    private readonly calls: TaskCalls,
    private readonly ports: TreasurySeriesPorts,
    private readonly treasury: Felt,
  ) {}

  /**
   * The turn of the series' next submission, or the report of what forbids one. Rejects with the
   * error of a read.
   */
  async turn(subject: string, series: string): Promise<TreasuryTurn | TaskReport> {
    const next = await this.ports.repeated.next(series);
    const waits = await this.calls.waitAfter(subject, next.last);
    if (waits !== null) return waits;
    // Before anything is read: what was read while the ledger was behind may have been paid since.
    const refusal = await this.ports.submissions.checkQueueCapacity(ROLE);
    try {
      if (refusal !== null) throw refusal;
      return { next, at: await this.ports.snapshots.latest(next.after) };
    } catch (error) {
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }

  /** Tries the call, asks for its gas, and submits it. Rejects with the error of a read. */
  async submit(
    { next, at }: TreasuryTurn,
    { target, calldata, ...call }: TreasuryCall,
    gate: TaskGate,
  ): Promise<TaskReport> {
    const refusal = await this.calls.refusal({ ...target, calldata }, this.treasury, gate);
    if (refusal !== null) return refusal;
    const fingerprint = treasuryFingerprint(call, String(at.number));
    try {
      const { attempt } = await this.ports.submissions.submit({
        ...call,
        key: next.key,
        effect: fingerprint,
        fingerprint,
        role: ROLE,
        target,
        calldata,
        terms: null,
        // Executed twice it pays twice.
        replayProtected: false,
      });
      return {
        outcome: 'acted',
        submissionId: attempt.id,
        details: { kind: attempt.kind, amount: attempt.memo ?? '' },
      };
    } catch (error) {
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }
}

/** What a call was asked for: equal for one amount, planned from one block. */
function treasuryFingerprint({ kind, subject, memo }: CallPurpose, block: string): string {
  return `${kind}|${subject}|${memo ?? ''}|${block}`;
}

/**
 * The same for a call that was read back from the chain, where its block is not known: never equal
 * to that of a plan.
 */
export function shownTreasuryFingerprint(purpose: CallPurpose): string {
  return treasuryFingerprint(purpose, 'unknown');
}
