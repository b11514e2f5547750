import type { TaskName } from '@sotto/facts';
import { resumedAt } from './task-controls.js';
import { retryVerdict, type RetryPolicy } from '../domain/retry-verdict.js';
import { skipped, type TaskGate } from '../ports/keeper-task.js';
import type { TaskStore } from '../ports/task-store.port.js';
import { publicRevertReason, type Clock, type Felt } from '@sotto/kernel';
import {
  isLive,
  usedFri,
  type Attempt,
  type CallSimulator,
  type SimulatedCall,
  type LatestBlock,
} from '@sotto/submission-core';

/** Dependencies of the checks that precede a submission. */
export interface TaskCallPorts {
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly store: Pick<TaskStore, 'controls'>;
  readonly clock: Clock;
}

type Skip = ReturnType<typeof skipped>;

/** Performs the checks between a task's decision and its submission. */
export class TaskCalls {
  constructor(
    private readonly task: TaskName,
    private readonly ports: TaskCallPorts,
    private readonly retry: RetryPolicy,
  ) {}

  /**
   * Returns the reason why no attempt may follow the last attempt of a key now: the last attempt
   * has not ended, has failed recently, or has failed too often. Returns null if another attempt is
   * allowed. Rejects with the error of the store.
   */
  async waitAfter(subject: string, last: Attempt | null): Promise<Skip | null> {
    if (last === null) return null;
    const details = { submissionId: last.id };
    if (isLive(last.state)) return skipped('IN_FLIGHT', details);
    const resumedAtMs = await resumedAt(this.ports.store, this.task, subject);
    const verdict = retryVerdict(last, this.retry, resumedAtMs, this.ports.clock.nowMs());
    return verdict === null ? null : skipped(verdict.reason, details, verdict.dueAtMs);
  }

  /**
   * Returns the reason why the account may not send the call now: the call would revert, or the
   * gate does not admit its gas. Returns null if the account may send the call. Rejects with the
   * error of a read.
   */
  async rejection(call: SimulatedCall, as: Felt, gate: TaskGate): Promise<Skip | null> {
    const cost = await this.costOf(call, as);
    if ('outcome' in cost) return cost;
    const reason = await gate.admit(cost.costFri);
    return reason === null ? null : skipped(reason, { costFri: String(cost.costFri) });
  }

  /**
   * Returns the cost of the call as a transaction of the account. If the call would revert, returns
   * the report of the revert.
   */
  async costOf(call: SimulatedCall, as: Felt): Promise<{ readonly costFri: bigint } | Skip> {
    const result = await this.ports.simulator.simulate(call, as);
    if (!result.ok)
      return skipped('SIMULATION_REVERTED', { reason: publicRevertReason(result.reason) });
    if (result.gas === undefined) throw new Error('a call that an account sends uses gas');
    return { costFri: usedFri(result.gas, await this.ports.latestBlock.gasPrices()) };
  }
}
