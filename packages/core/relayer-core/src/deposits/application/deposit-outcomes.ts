import { settle, type Clock } from '@sotto/kernel';
import type { SubmissionAnswer } from '@sotto/submission-core';
import { isDeposit, madeCommitment } from '../../pools/domain/deposit.js';
import type { DeployedLeaves, PoolEvents } from '../../pools/ports/pool-events.port.js';
import { settleOutcome } from '../../relay/application/settle-outcome.js';
import type { StandingAnswer } from '../../relay/application/submission-end.js';

/** What a deposit left in its pool. */
export interface DepositOutcome {
  /** -1 when nothing was and will be left; null while that is not known. */
  readonly leafIndex: number | null;
  /**
   * The batch that the deposit completed; null while it waits for one, and while nothing is known.
   */
  readonly batch: DeployedLeaves | null;
}

const FAILED: DepositOutcome = { leafIndex: -1, batch: null };
const UNKNOWN: DepositOutcome = { leafIndex: null, batch: null };

/**
 * Returns what deposits left in their pools. It reads the chain each time and caches nothing, so a
 * rollback shows at once.
 */
export class DepositOutcomes {
  constructor(
    private readonly events: Pick<PoolEvents, 'depositOf'>,
    private readonly clock: Clock,
  ) {}

  /**
   * What the deposit of a submission left, looked up once; null for a submission that is no
   * deposit.
   */
  async describe(answer: SubmissionAnswer): Promise<DepositOutcome | null> {
    if (!isDeposit(answer.attempt)) return null;
    return answer.kind === 'rejected' ? FAILED : this.#look(answer);
  }

  /** The answer to a deposit, together with what it left, as {@link settleOutcome} says. */
  async settle(
    answer: StandingAnswer,
    untilMs: number,
    signal?: AbortSignal,
  ): Promise<DepositOutcome & { readonly answer: StandingAnswer }> {
    const look = (looked: StandingAnswer) => this.#look(looked);
    return settleOutcome(answer, { look, unknown: UNKNOWN, clock: this.clock }, untilMs, signal);
  }

  async #look(answer: StandingAnswer): Promise<DepositOutcome> {
    if (answer.kind === 'pending') return UNKNOWN;
    if (answer.execution === 'REVERTED') return FAILED;
    const { attempt, transactionHash } = answer;
    const deposit = await settle(this.events.depositOf(attempt.target.to, transactionHash));
    if (!deposit.known || deposit.value === null) return UNKNOWN;
    const { commitment, leafIndex, batch } = deposit.value;
    return commitment === madeCommitment(attempt) ? { leafIndex, batch } : UNKNOWN;
  }
}
