import { settle, type Clock } from '@sotto/kernel';
import type { CallPurpose, SubmissionAnswer } from '@sotto/submission-core';
import { PRIVATE_SWAP_ENTRYPOINT } from '../../pools/domain/private-swap-call.js';
import type { PoolEvents, SwapDeposit } from '../../pools/ports/pool-events.port.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import { settleOutcome } from '../../relay/application/settle-outcome.js';
import type { StandingAnswer } from '../../relay/application/submission-end.js';
import { spentNote } from '../../pools/domain/withdrawal.js';

/** Output of a private swap in the swap pool. */
export interface SwapOutcome {
  /**
   * Leaf index of the output. -1 if the swap has no output and will never have one; null if
   * unknown.
   */
  readonly leafIndex: number | null;
  /**
   * Amount of the output, in the output token's smallest unit. 0 if the swap has no output and will
   * never have one; null if unknown.
   */
  readonly outputAmount: bigint | null;
  /**
   * True if the swap has reverted and its note is not known to be spent. The proof of such a swap
   * is public. Any caller can send this proof to the input pool as a plain withdrawal, which pays
   * the note to the swap pool, so the owner loses it.
   */
  readonly noteAtRisk: boolean;
}

const FAILED: SwapOutcome = { leafIndex: -1, outputAmount: 0n, noteAtRisk: false };
const UNKNOWN: SwapOutcome = { leafIndex: null, outputAmount: null, noteAtRisk: false };

/**
 * Returns the outputs of swaps in the swap pool. Always reads the chain, so it works after a
 * restart and after the calldata was redacted. Has no cache, so an outcome that a reorg revokes is
 * not returned again. The outcome "no output" is final only as long as the block on which it is
 * based remains on chain.
 */
export class SwapOutcomes {
  constructor(
    private readonly events: Pick<PoolEvents, 'swapDepositOf'>,
    private readonly pools: Pick<PoolReader, 'nullifierSpent'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the output of a submission's swap once; null if the submission is not a swap. A
   * successful swap is never reported as failed: if its output can't be read now, the outcome is
   * unknown.
   */
  async describe(answer: SubmissionAnswer): Promise<SwapOutcome | null> {
    const { role, target } = answer.attempt;
    if (role !== 'swap_owner' || target.entrypoint !== PRIVATE_SWAP_ENTRYPOINT) return null;
    if (answer.kind === 'rejected') return FAILED;
    return this.#poll(answer, () => true);
  }

  /**
   * Returns the response for a swap together with its output. The output is read repeatedly, as
   * described at {@link settleOutcome}.
   * @param isOurs returns true for the deposit that this swap made
   */
  async settle(
    answer: StandingAnswer,
    isOurs: (deposit: SwapDeposit) => boolean,
    untilMs: number,
    signal?: AbortSignal,
  ): Promise<SwapOutcome & { readonly answer: StandingAnswer }> {
    const poll = (polled: StandingAnswer) => this.#poll(polled, isOurs);
    return settleOutcome(answer, { poll, unknown: UNKNOWN, clock: this.clock }, untilMs, signal);
  }

  async #poll(
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

  /**
   * Returns true only if a read of the chain shows that the note is spent. If the read fails, the
   * note is treated as unspent.
   */
  async #isSpent(attempt: CallPurpose): Promise<boolean> {
    const note = spentNote(attempt);
    if (note === null) return false;
    const spent = await settle(this.pools.nullifierSpent(note.pool, note.nullifierHash));
    return spent.known && spent.value;
  }
}
