import { settle, type Clock } from '@sotto/kernel';
import type { SubmissionAnswer } from '@sotto/submission-core';
import { isDeposit, madeCommitment } from '../../pools/domain/deposit.js';
import type { DeployedLeaves, PoolEvents } from '../../pools/ports/pool-events.port.js';
import { settleOutcome } from '../../relay/application/settle-outcome.js';
import type { StandingAnswer } from '../../relay/application/submission-end.js';

/** Leaf and batch that resulted from a deposit. */
export interface DepositOutcome {
  /**
   * Index of the deposit's leaf. The value is -1 if the deposit has no leaf and never will; null if
   * unknown.
   */
  readonly leafIndex: number | null;
  /**
   * Batch that the deposit completed; null if the deposit still waits for a batch, or if its batch
   * is unknown.
   */
  readonly batch: DeployedLeaves | null;
}

const FAILED: DepositOutcome = { leafIndex: -1, batch: null };
const UNKNOWN: DepositOutcome = { leafIndex: null, batch: null };

/**
 * Returns the leaves and batches that resulted from deposits. Each call reads the chain without a
 * cache, so a reorg is visible immediately.
 */
export class DepositOutcomes {
  constructor(
    private readonly events: Pick<PoolEvents, 'depositOf'>,
    private readonly clock: Clock,
  ) {}

  /** Reads the outcome of a deposit once. Returns null if the submission is not a deposit. */
  async describe(answer: SubmissionAnswer): Promise<DepositOutcome | null> {
    if (!isDeposit(answer.attempt)) return null;
    return answer.kind === 'rejected' ? FAILED : this.#poll(answer);
  }

  /**
   * Returns the response for a deposit together with its outcome. The outcome is read repeatedly,
   * as described at {@link settleOutcome}.
   */
  async settle(
    answer: StandingAnswer,
    untilMs: number,
    signal?: AbortSignal,
  ): Promise<DepositOutcome & { readonly answer: StandingAnswer }> {
    const poll = (polled: StandingAnswer) => this.#poll(polled);
    return settleOutcome(answer, { poll, unknown: UNKNOWN, clock: this.clock }, untilMs, signal);
  }

  async #poll(answer: StandingAnswer): Promise<DepositOutcome> {
    if (answer.kind === 'pending') return UNKNOWN;
    if (answer.execution === 'REVERTED') return FAILED;
    const { attempt, transactionHash } = answer;
    const deposit = await settle(this.events.depositOf(attempt.target.to, transactionHash));
    if (!deposit.known || deposit.value === null) return UNKNOWN;
    const { commitment, leafIndex, batch } = deposit.value;
    return commitment === madeCommitment(attempt) ? { leafIndex, batch } : UNKNOWN;
  }
}
