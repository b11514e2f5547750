import type { SkipReason, TaskName } from '@sotto/facts';
import {
  retryVerdict,
  skipped,
  type RetryPolicy,
  type TaskBook,
  type TaskGate,
  type TaskReport,
} from '@sotto/keeper-core';
import { DomainError, publicRevertReason, type Clock, type Felt } from '@sotto/kernel';
import { isLive, type Attempt } from '@sotto/submission-core';
import { usedFri } from '../../fees/domain/fee.js';
import type { CallSimulator, SimulatedCall } from '../ports/call-simulator.port.js';
import type { LatestBlock } from '../ports/latest-block.port.js';

/** Errors that are a decision not to act, rather than a read that failed. */
const REASONS: Readonly<Record<string, SkipReason>> = {
  POOL_PAUSED: 'PAUSED',
  BUDGET_EXHAUSTED: 'BUDGET_EXHAUSTED',
  QUEUE_FULL: 'QUEUE_FULL',
  DEPLOYMENT_IN_PROGRESS: 'IN_FLIGHT',
  BATCH_TOO_YOUNG: 'WAITING_FOR_CROWD',
  PREVIOUS_ATTEMPT_NOT_FINAL: 'PREVIOUS_NOT_FINAL',
  SIMULATION_REVERTED: 'SIMULATION_REVERTED',
  NODE_BEHIND: 'NODE_BEHIND',
  PRICE_UNAVAILABLE: 'PRICE_UNAVAILABLE',
  PRICE_IMPACT_TOO_HIGH: 'PRICE_IMPACT_TOO_HIGH',
  SLIPPAGE_TOO_TIGHT: 'PRICE_IMPACT_TOO_HIGH',
  OUTPUT_TOKEN_NOT_SUPPORTED: 'TOKEN_UNPRICED',
  NO_QUOTES_AVAILABLE: 'NO_QUOTES',
  QUOTE_EXPIRED_AT_AGGREGATOR: 'NO_QUOTES',
  SWAP_BUILD_REJECTED: 'NO_QUOTES',
};

/** What the tasks of this core need to try and judge a call before it is submitted. */
export interface TaskCallPorts {
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly book: Pick<TaskBook, 'controls'>;
  readonly clock: Clock;
}

/** What stands between a task's decision and its submission. */
export class TaskCalls {
  constructor(
    private readonly task: TaskName,
    private readonly ports: TaskCallPorts,
    private readonly retry: RetryPolicy,
  ) {}

  /**
   * Why nothing may follow the last attempt of a key now: it is live, or has failed too often or a
   * moment ago. Null when something may. Rejects with the error of the store.
   */
  async waitAfter(subject: string, last: Attempt | null): Promise<TaskReport | null> {
    if (last === null) return null;
    const details = { submissionId: last.id };
    if (isLive(last.state)) return skipped('IN_FLIGHT', details);
    const resumedAtMs = await this.#resumedAtMs(subject);
    const verdict = retryVerdict(last, this.retry, resumedAtMs, this.ports.clock.nowMs());
    return verdict === null ? null : skipped(verdict.reason, details, verdict.dueAtMs);
  }

  /**
   * Why the account may not send the call now: it would revert, or its gas is not granted. Null
   * when it may. Rejects with the error of a read.
   */
  async refusal(call: SimulatedCall, as: Felt, gate: TaskGate): Promise<TaskReport | null> {
    const result = await this.ports.simulator.simulate(call, as);
    if (!result.ok)
      return skipped('SIMULATION_REVERTED', { reason: publicRevertReason(result.reason) });
    if (result.gas === undefined) throw new Error('a call that an account sends uses gas');
    const costFri = usedFri(result.gas, await this.ports.latestBlock.gasPrices());
    const reason = await gate.admit(costFri);
    return reason === null ? null : skipped(reason, { costFri: String(costFri) });
  }

  /**
   * The report of an error that is a decision not to act.
   * @throws every other error, as it came
   */
  skippedFor(error: unknown): TaskReport {
    const reason = error instanceof DomainError ? REASONS[error.code] : undefined;
    if (!(error instanceof DomainError) || reason === undefined) throw error;
    const { code, details, retryAfterSeconds } = error;
    const dueAtMs =
      retryAfterSeconds === undefined ? null : this.ports.clock.nowMs() + retryAfterSeconds * 1_000;
    return skipped(reason, { ...details, code }, dueAtMs);
  }

  /** Failures of the subject's calls up to this moment do not count. */
  async #resumedAtMs(subject: string): Promise<number> {
    const controls = await this.ports.book.controls();
    return controls
      .filter(({ task, subject: of }) => task === this.task && (of === null || of === subject))
      .reduce((latest, { resumedAtMs }) => Math.max(latest, resumedAtMs), 0);
  }
}
