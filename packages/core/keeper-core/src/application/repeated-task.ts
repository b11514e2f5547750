import type { TaskName } from '@sotto/facts';
import { skippedFor } from './skipped-by.js';
import type { RetryPolicy } from '../domain/retry-verdict.js';
import type { TaskGate, TaskReport } from '../ports/keeper-task.js';
import type { Felt, Felts } from '@sotto/kernel';
import {
  type CallPurpose,
  type CallTarget,
  type LaneRole,
  type NextSubmission,
  type RepeatedSubmissions,
  type ResourceLimits,
  type SimulatedCall,
  type Snapshot,
  type Snapshots,
  type Submissions,
} from '@sotto/submission-core';
import { TaskCalls, type TaskCallPorts } from './task-calls.js';

export interface RepeatedTaskPorts extends TaskCallPorts {
  readonly submissions: Pick<Submissions, 'submit' | 'checkQueueCapacity'>;
  readonly repeated: RepeatedSubmissions;
  readonly snapshots: Snapshots;
}

/** The submission that may be opened, and the block that it is planned from. */
export interface TaskTurn {
  readonly next: NextSubmission;
  readonly at: Snapshot;
}

/** Who sends what a task repeats. */
export interface TaskSender {
  readonly role: LaneRole;
  readonly account: Felt;
  readonly retry: RetryPolicy;
}

/** A call that pays once by its number alone. */
export interface RepeatedCall extends CallPurpose {
  readonly target: CallTarget;
  readonly calldata: Felts;
  readonly limits: ResourceLimits;
  /** After its acceptance. @default the service's deadline */
  readonly sendWithinMs?: number;
}

/**
 * What a task sends again and again under one name. Each submission is planned from
 * a block that holds the one before, so that an old answer of a node pays nothing twice; and those
 * who plan the same number at once get one attempt.
 */
export class RepeatedTask {
  readonly #calls: TaskCalls;

  constructor(
    task: TaskName,
    private readonly ports: RepeatedTaskPorts,
    private readonly sender: TaskSender,
  ) {
    this.#calls = new TaskCalls(task, ports, sender.retry);
  }

  /**
   * The turn of the series' next submission, or the report of what forbids one. Rejects with the
   * error of a read.
   */
  async turn(subject: string, series: string): Promise<TaskTurn | TaskReport> {
    const next = await this.ports.repeated.next(series);
    const waits = await this.#calls.waitAfter(subject, next.last);
    if (waits !== null) return waits;
    // Before anything is read: what was read while the ledger was behind may have been paid since.
    const refusal = await this.ports.submissions.checkQueueCapacity(this.sender.role);
    try {
      if (refusal !== null) throw refusal;
      return { next, at: await this.ports.snapshots.latest(next.after) };
    } catch (error) {
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }

  /** What the call costs its sender, or the report of one that would revert. */
  costOf(call: SimulatedCall): ReturnType<TaskCalls['costOf']> {
    return this.#calls.costOf(call, this.sender.account);
  }

  /** Tries the call, asks for its gas, and submits it. Rejects with the error of a read. */
  async submit(
    { next, at }: TaskTurn,
    { target, calldata, ...call }: RepeatedCall,
    gate: TaskGate,
  ): Promise<TaskReport> {
    const refusal = await this.#calls.refusal({ ...target, calldata }, this.sender.account, gate);
    if (refusal !== null) return refusal;
    const fingerprint = treasuryFingerprint(call, String(at.number));
    try {
      const { attempt } = await this.ports.submissions.submit({
        ...call,
        key: next.key,
        effect: fingerprint,
        fingerprint,
        role: this.sender.role,
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
