import { Cached, type Clock, type Felt } from '@sotto/kernel';
import type { ChainHead, ChainReader, SubmissionEngine } from '@sotto/submission-core';
import type { NodeDirectory } from '../ports/node-directory.port.js';

/** The newest block, as this instance's node shows it. */
export interface HeadStatus {
  readonly blockNumber: number;
  /** By the block's own timestamp, or since no newer one came where that is longer. */
  readonly ageMs: number;
  /**
   * Milliseconds by which the machine's clock is ahead; negative if it is behind. Null if nothing
   * shows it.
   */
  readonly clockAheadMs: number | null;
  /**
   * Milliseconds by which the times of a ledger without a clock are ahead of the machine's clock,
   * if the newest block agrees with the machine. 0 if nothing shows it.
   */
  readonly ledgerAheadMs: number;
  /** True if nothing is sent because the machine's clock is wrong. */
  readonly isClockInTheWay: boolean;
}

/** Clocks to compare the machine's with. */
export interface OtherClocks {
  /** True if the store has a clock of its own, as PostgreSQL has. */
  readonly isStoreIndependent: boolean;
  readonly nodes?: NodeDirectory;
}

/** Largest difference of two clocks that says nothing. Blocks take time to be made and read. */
export const CLOCK_TOLERANCE_MS = 60_000;

const isBeyond = (ms: number): boolean => Math.abs(ms) > CLOCK_TOLERANCE_MS;

/** Parts that look in the same moment share one read. */
const SHARED_MS = 500;

/** Follows the head of the chain with the balances of every account that relays. */
export class HeadWatch {
  readonly #reads: Cached<ChainHead>;
  #last: {
    readonly blockNumber: number;
    readonly timestamp: number;
    readonly sinceMs: number;
  } | null = null;

  constructor(
    private readonly reader: Pick<ChainReader, 'head'>,
    private readonly engine: Pick<SubmissionEngine, 'status'>,
    private readonly clock: Clock,
    private readonly others: OtherClocks = { isStoreIndependent: false },
  ) {
    this.#reads = new Cached({ clock, freshMs: SHARED_MS });
  }

  /** Rejects with a `DomainError` when the node can't answer. */
  head(): Promise<ChainHead> {
    return this.#reads.get('', async () => {
      const head = await this.reader.head(this.#accounts());
      const { blockNumber, timestamp } = head;
      // A lower height is a rollback, or another node: the head has moved all the same.
      if (this.#last?.blockNumber !== blockNumber)
        this.#last = { blockNumber, timestamp, sinceMs: this.clock.monotonicMs() };
      return head;
    });
  }

  /** Null before the first read. */
  status(): HeadStatus | null {
    if (this.#last === null) return null;
    const { blockNumber, timestamp, sinceMs } = this.#last;
    const ofBlockMs = this.clock.nowMs() - timestamp * 1_000;
    const stillMs = this.clock.monotonicMs() - sinceMs;
    const ofArrivalMs = ofBlockMs - stillMs;
    const ledgerAheadMs = this.#ledgerAheadMs(ofArrivalMs);
    const clockAheadMs = ledgerAheadMs === 0 ? this.#clockAheadMs(ofArrivalMs) : 0;
    const ageMs = Math.max(0, ofBlockMs - (clockAheadMs ?? 0), stillMs);
    const isClockInTheWay = this.#isInTheWay(clockAheadMs ?? 0);
    return { blockNumber, ageMs, clockAheadMs, ledgerAheadMs, isClockInTheWay };
  }

  /**
   * The clock was wrong when the rows were written or the ledger was opened, and is right again.
   * @param ofArrivalMs age of the newest block when it was read first, by the machine's clock
   */
  #ledgerAheadMs(ofArrivalMs: number): number {
    const ofStoreMs = this.engine.status().clockSkewMs.store ?? 0;
    const isOfLedger =
      !this.others.isStoreIndependent && isBeyond(ofStoreMs) && !isBeyond(ofArrivalMs);
    return isOfLedger ? -ofStoreMs : 0;
  }

  /** The ledger takes the machine's clock for the time that a block has to be younger than. */
  #isInTheWay(clockAheadMs: number): boolean {
    if (this.others.isStoreIndependent || !isBeyond(clockAheadMs)) return false;
    const why = this.engine.status().notJudged?.why;
    return why === (clockAheadMs < 0 ? 'HEAD_IN_FUTURE' : 'NO_YOUNG_HEAD');
  }

  /** @param ofArrivalMs age of the newest block when it was read first, by the machine's clock */
  #clockAheadMs(ofArrivalMs: number): number | null {
    const ofStoreMs = this.engine.status().clockSkewMs.store;
    // SQLite follows the machine's clock of the opening: it shows later steps alone.
    if (ofStoreMs !== null && (this.others.isStoreIndependent || isBeyond(ofStoreMs)))
      return ofStoreMs;
    // No block is of the future; nodes that follow one head are not all behind by the same time.
    const isKnown = ofArrivalMs < 0 || this.#nodesAgree();
    return isKnown && isBeyond(ofArrivalMs) ? ofArrivalMs : null;
  }

  #nodesAgree(): boolean {
    const heads = (this.others.nodes?.status() ?? []).flatMap(({ up, headBlock, headAgeMs }) =>
      up && headBlock !== null && headAgeMs !== null && headAgeMs <= CLOCK_TOLERANCE_MS
        ? [headBlock]
        : [],
    );
    return heads.length > 1 && Math.max(...heads) - Math.min(...heads) <= 1;
  }

  #accounts(): readonly Felt[] {
    return this.engine
      .status()
      .lanes.flatMap(({ role, address }) => (role === 'relay' ? [address] : []));
  }
}
