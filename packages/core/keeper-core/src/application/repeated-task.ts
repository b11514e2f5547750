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

/** Next submission of a series, and the block from which this submission is planned. */
export interface TaskTurn {
  readonly next: NextSubmission;
  readonly at: Snapshot;
}

/** Account and role that send a task's submissions. */
export interface TaskSender {
  readonly role: LaneRole;
  readonly account: Felt;
  readonly retry: RetryPolicy;
}

/** A call that has no protection against double execution except its number in the series. */
export interface RepeatedCall extends CallPurpose {
  readonly target: CallTarget;
  readonly calldata: Felts;
  readonly limits: ResourceLimits;
  /** Maximum time from acceptance to the send, in milliseconds. @default the service's deadline */
  readonly sendWithinMs?: number;
}

/**
 * Sends the numbered submissions of a series, one after another. Each submission is planned from a
 * block that contains the previous submission, so an outdated response of a node can't cause a
 * second payment. Processes that plan the same number at the same time share one attempt.
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
   * Returns the next submission of the series, or the report that forbids a submission. Rejects
   * with the error of a read.
   */
  async turn(subject: string, series: string): Promise<TaskTurn | TaskReport> {
    const next = await this.ports.repeated.next(series);
    const waits = await this.#calls.waitAfter(subject, next.last);
    if (waits !== null) return waits;
    // Check the ledger before any other read. While the ledger is behind its chain, the call that
    // is planned here may already be on chain.
    const rejection = await this.ports.submissions.checkQueueCapacity(this.sender.role);
    try {
      if (rejection !== null) throw rejection;
      return { next, at: await this.ports.snapshots.latest(next.after) };
    } catch (error) {
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }

  /**
   * Returns the cost of the call for its sender. If the call would revert, returns the report of
   * the revert.
   */
  costOf(call: SimulatedCall): ReturnType<TaskCalls['costOf']> {
    return this.#calls.costOf(call, this.sender.account);
  }

  /**
   * Simulates the call, requests admission of its gas from the gate, and submits it. Rejects with
   * the error of a read.
   */
  async submit(
    { next, at }: TaskTurn,
    { target, calldata, ...call }: RepeatedCall,
    gate: TaskGate,
  ): Promise<TaskReport> {
    const rejection = await this.#calls.rejection(
      { ...target, calldata },
      this.sender.account,
      gate,
    );
    if (rejection !== null) return rejection;
    const fingerprint = callFingerprint(call, String(at.number));
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
        // If a call is executed twice, it pays twice, and nothing in the call prevents that.
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

/**
 * Returns the fingerprint of a call. Calls with the same amount that were planned from the same
 * block have the same fingerprint.
 */
function callFingerprint({ kind, subject, memo }: CallPurpose, block: string): string {
  return `${kind}|${subject}|${memo ?? ''}|${block}`;
}

/**
 * Fingerprint of a call that was read back from the chain. The block from which the call was
 * planned is unknown, so this fingerprint never equals the fingerprint of a planned call.
 */
export function shownCallFingerprint(purpose: CallPurpose): string {
  return callFingerprint(purpose, 'unknown');
}
