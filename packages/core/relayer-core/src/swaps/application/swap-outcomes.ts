import { settle, type Clock } from '@sotto/kernel';
import type { CallPurpose, SubmissionAnswer } from '@sotto/submission-core';
import { PRIVATE_SWAP_ENTRYPOINT } from '../../pools/domain/private-swap-call.js';
import type { PoolEvents, SwapDeposit } from '../../pools/ports/pool-events.port.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import { settleOutcome } from '../../relay/application/settle-outcome.js';
import type { StandingAnswer } from '../../relay/application/submission-end.js';
import { spentNote } from '../../pools/domain/withdrawal.js';

/** What a private swap left in the swap pool. */
export interface SwapOutcome {
  /** -1 when nothing was and will be left; null while that is not known. */
  readonly leafIndex: number | null;
  /**
   * In the output token's smallest unit; 0 when nothing was and will be left, null while that is
   * not known.
   */
  readonly outputAmount: bigint | null;
  /**
   * True if the swap has reverted and its note is not known to be spent: the proof is public, and
   * any caller can send it to the input pool as a plain withdrawal that loses the note.
   */
  readonly noteAtRisk: boolean;
}

const FAILED: SwapOutcome = { leafIndex: -1, outputAmount: 0n, noteAtRisk: false };
const UNKNOWN: SwapOutcome = { leafIndex: null, outputAmount: null, noteAtRisk: false };

/**
 * Returns what swaps left in the swap pool. It always reads the chain, so it can answer after a
 * restart and needs no calldata, which may be wiped. Nothing is remembered: an outcome that a
 * rollback takes back is given to no later question, and "will be left" holds as long as the
 * answer's block stands.
 */
export class SwapOutcomes {
  constructor(
    private readonly events: Pick<PoolEvents, 'swapDepositOf'>,
    private readonly pools: Pick<PoolReader, 'nullifierSpent'>,
    private readonly clock: Clock,
  ) {}

  /**
   * What the swap of a submission left, looked up once; null for a submission that is no swap. A
   * swap that succeeded is never called failed: where its deposit can't be read now, the outcome is
   * unknown.
   */
  async describe(answer: SubmissionAnswer): Promise<SwapOutcome | null> {
    const { role, target } = answer.attempt;
    if (role !== 'swap_owner' || target.entrypoint !== PRIVATE_SWAP_ENTRYPOINT) return null;
    if (answer.kind === 'rejected') return FAILED;
    return this.#look(answer, () => true);
  }

  /**
   * The answer to a swap, together with what the swap left, as {@link settleOutcome} says.
   * @param isOurs distinguishes our deposit from another's
   */
  async settle(
    answer: StandingAnswer,
    isOurs: (deposit: SwapDeposit) => boolean,
    untilMs: number,
    signal?: AbortSignal,
  ): Promise<SwapOutcome & { readonly answer: StandingAnswer }> {
    const look = (looked: StandingAnswer) => this.#look(looked, isOurs);
    return settleOutcome(answer, { look, unknown: UNKNOWN, clock: this.clock }, untilMs, signal);
  }

  async #look(
    answer: StandingAnswer,
    isOurs: (deposit: SwapDeposit) => boolean,
  ): Promise<SwapOutcome> {
    if (answer.kind === 'pending') return UNKNOWN;
    if (answer.execution === 'REVERTED')
      return { ...FAILED, noteAtRisk: !(await this.#isSpent(answer.attempt)) };
    const deposit = await settle(this.events.swapDepositOf(answer.transactionHash));
    if (!deposit.known || deposit.value === null || !isOurs(deposit.value)) return UNKNOWN;
    const { leafIndex, outputAmount } = deposit.value;
    return { leafIndex, outputAmount, noteAtRisk: false };
  }

  /** True only if the chain shows it: an unreadable note counts as unspent. */
  async #isSpent(attempt: CallPurpose): Promise<boolean> {
    const note = spentNote(attempt);
    if (note === null) return false;
    const spent = await settle(this.pools.nullifierSpent(note.pool, note.nullifierHash));
    return spent.known && spent.value;
  }
}
