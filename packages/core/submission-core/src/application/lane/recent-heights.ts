import type { Clock } from '@sotto/kernel';
import { blocksLeft, type BlocksLeft } from '../../domain/deadline-block.js';
import type { Attempt } from '../../domain/rows.js';
import type { ChainHead } from '../../ports/chain.port.js';

/** Time in ms for which the highest height is remembered, although later polls read lower ones. */
const REMEMBERED_MS = 60_000;

interface Height {
  readonly number: number;
  readonly atMs: number;
}

/**
 * Heights of the chain's head that the polls of a lane have read. A node may lag behind, a wrong
 * node may report a height that the chain does not have, and a rollback lowers the height. A
 * decision therefore uses the height that is cautious for it.
 */
export class RecentHeights {
  /** Heights that no later poll has exceeded, highest first. */
  #descending: readonly Height[] = [];
  /** Heights of the last poll and of the poll before it; the same height after the first poll. */
  #last: { readonly number: number; readonly before: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** Records the height that a poll has read. */
  note(number: number): void {
    const higher = this.#descending.filter((height) => height.number > number);
    this.#descending = [...higher, { number, atMs: this.clock.monotonicMs() }];
    this.#last = { number, before: this.#last?.number ?? number };
  }

  /**
   * Highest height of the last minute, for decisions to sign and to send; null before the first
   * poll. A node that lags behind does not lower it.
   */
  get highest(): number | null {
    const nowMs = this.clock.monotonicMs();
    const recent = this.#descending.find(({ atMs }) => nowMs - atMs < REMEMBERED_MS);
    return (recent ?? this.#last)?.number ?? null;
  }

  /**
   * Height that the last two polls have reached, for decisions to end or to cancel; null before the
   * first poll. A single wrong response does not raise it.
   */
  get reached(): number | null {
    return this.#last === null ? null : Math.min(this.#last.number, this.#last.before);
  }

  /**
   * Returns the blocks that are left for an attempt's call if the chain has the highest height of
   * the last minute, or that of `head` if it is higher. Decides whether the call is signed or sent.
   * Without an attempt, all blocks are left.
   */
  fewestBlocksLeft(
    attempt: Pick<Attempt, 'deadlineBlock'> | null,
    head: Pick<ChainHead, 'blockNumber'>,
  ): BlocksLeft {
    if (attempt === null) return 'enough';
    return blocksLeft(attempt, Math.max(head.blockNumber, this.highest ?? 0));
  }

  /**
   * Returns the blocks that are left for an attempt's call if the chain has only the height that
   * two polls have reached. Decides whether the attempt ends or its call is cancelled.
   */
  mostBlocksLeft(attempt: Pick<Attempt, 'deadlineBlock'>): BlocksLeft {
    const { reached } = this;
    return reached === null ? 'enough' : blocksLeft(attempt, reached);
  }
}
