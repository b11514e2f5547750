import type { Clock } from '@sotto/kernel';
import {
  isLive,
  type Attempt,
  type Ledger,
  type SubmissionAnswer,
  type Submissions,
} from '@sotto/submission-core';
import { PRIVATE_SWAP_ENTRYPOINT } from '../domain/private-swap.js';
import { bringsTooLittle } from '../../relay/domain/revert-cause.js';
import type { SwapVerdict, SwapVerdicts } from '../ports/swap-verdicts.port.js';

/** Tries that follow a swap by themselves. */
const MOST_TRIES = 2;
/** Who has decided on a try begins it right away, or never. */
const BEGUN_AFTER_MS = 60_000;

export interface SwapTriesPorts {
  readonly ledger: Pick<Ledger, 'attempt'>;
  /** As the machine answers, knowing nothing of tries. */
  readonly submissions: Pick<Submissions, 'find'>;
  readonly verdicts: SwapVerdicts;
  readonly clock: Clock;
}

/**
 * Reports a swap while it is tried again because its price had moved. It uses rows alone, so that a
 * restart forgets no try and all instances agree. A revert is reported only once it is decided that
 * no try follows it; then none does.
 */
export class SwapTries {
  constructor(private readonly deps: SwapTriesPorts) {}

  /**
   * The answer of a submission's last try, under the submission's own id; undecided while another
   * may follow. Other answers are returned unchanged.
   */
  async withTries(answer: SubmissionAnswer): Promise<SubmissionAnswer> {
    let newest = answer;
    while (isPriceRevert(newest)) {
      const { attempt, transactionHash } = newest;
      const verdict = await this.deps.verdicts.find(attempt.id);
      const next = verdict?.kind === 'over' ? null : await this.#next(attempt);
      // Nothing of such a try is or can be on chain, or the note was withdrawn plainly: the revert
      // is the swap's last word.
      if (next?.kind === 'rejected' || (next !== null && !isSwap(next.attempt))) break;
      if (next === null) {
        if (await this.#isLast(attempt, verdict)) break;
        newest = {
          kind: 'pending',
          attempt: isLive(attempt.state) ? attempt : { ...attempt, state: 'accepted' },
          transactionHash,
        };
      } else newest = next;
    }
    return newest === answer
      ? answer
      : { ...newest, attempt: { ...newest.attempt, id: answer.attempt.id } };
  }

  /** Whether no try may follow the attempt, whatever the price. */
  async isSpent(attempt: Attempt): Promise<boolean> {
    if (this.deps.clock.nowMs() > attempt.deadlineMs) return true;
    let tries = 0;
    for (let number = attempt.attempt - 1; number > 0 && tries < MOST_TRIES; number -= 1) {
      const before = await this.deps.ledger.attempt({ key: attempt.key, attempt: number });
      const verdict = before === null ? null : await this.deps.verdicts.find(before.id);
      if (verdict?.kind !== 'again') break;
      tries += 1;
    }
    return tries >= MOST_TRIES;
  }

  async #next({ key, attempt }: Attempt): Promise<SubmissionAnswer | null> {
    const next = await this.deps.ledger.attempt({ key, attempt: attempt + 1 });
    return next === null ? null : this.deps.submissions.find(next.id);
  }

  async #isLast(attempt: Attempt, verdict: SwapVerdict | null): Promise<boolean> {
    const decidedAtMs = this.deps.clock.nowMs();
    if (verdict !== null)
      return verdict.kind === 'over' || decidedAtMs - verdict.decidedAtMs > BEGUN_AFTER_MS;
    if (!(await this.isSpent(attempt))) return false;
    // A pre-confirmed block may still be undone, and the attempt succeed.
    if (isLive(attempt.state)) return true;
    const { standing } = await this.deps.verdicts.decide(attempt.id, { kind: 'over', decidedAtMs });
    return standing.kind === 'over';
  }
}

/** A swap whose transaction brought less than it had to, when its block came. */
export function isPriceRevert(
  answer: SubmissionAnswer,
): answer is SubmissionAnswer & { readonly kind: 'executed' } {
  if (answer.kind !== 'executed' || answer.execution !== 'REVERTED') return false;
  return isSwap(answer.attempt) && bringsTooLittle(answer.revertReason ?? '');
}

function isSwap({ role, target }: Attempt): boolean {
  return role === 'swap_owner' && target.entrypoint === PRIVATE_SWAP_ENTRYPOINT;
}
