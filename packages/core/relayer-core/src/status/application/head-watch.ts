import { Cached, type Clock, type Felt } from '@sotto/kernel';
import type { ChainHead, ChainReader, SubmissionEngine } from '@sotto/submission-core';
import type { NodeDirectory } from '../ports/node-directory.port.js';

/** Newest block that this instance's node shows. */
export interface HeadStatus {
  readonly blockNumber: number;
  /** Age by the block's timestamp, or the time without a newer block if that is longer. */
  readonly ageMs: number;
  /**
   * Milliseconds by which the machine's clock is ahead; negative if it is behind. Null if unknown.
   */
  readonly clockAheadMs: number | null;
  /**
   * Milliseconds by which the times of a ledger without a clock are ahead of the machine's clock,
   * if the newest block agrees with the machine. 0 if unknown.
   */
  readonly ledgerAheadMs: number;
  /** True if no transaction is sent because the machine's clock is wrong. */
  readonly isClockInTheWay: boolean;
}

/** Other clocks to compare the machine's clock with. */
export interface OtherClocks {
  /** True if the store has a separate clock, like PostgreSQL. */
  readonly isStoreIndependent: boolean;
  readonly nodes?: NodeDirectory;
}

/** Largest insignificant difference between two clocks. Blocks need time to be made and read. */
export const CLOCK_TOLERANCE_MS = 60_000;

const isBeyond = (ms: number): boolean => Math.abs(ms) > CLOCK_TOLERANCE_MS;

/** Concurrent checks of several parts share one read. */
const SHARED_MS = 500;

/** Follows the head of the chain, with the balances of all relay lanes. */
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

  /** Reads the head. Rejects with a `DomainError` if the node is unavailable. */
  head(): Promise<ChainHead> {
    return this.#reads.get('', async () => {
      const head = await this.reader.head(this.#accounts());
      const { blockNumber, timestamp } = head;
      // A lower height is a rollback or another node: the head has moved in that case too.
      if (this.#last?.blockNumber !== blockNumber)
        this.#last = { blockNumber, timestamp, sinceMs: this.clock.monotonicMs() };
      return head;
    });
  }

  /** Returns the newest block as last read; null before the first read. */
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
   * Returns the offset if the clock was wrong when the rows were written or the ledger was opened,
   * but is right again.
   * @param ofArrivalMs age of the newest block at its first read, by the machine's clock
   */
  #ledgerAheadMs(ofArrivalMs: number): number {
    const ofStoreMs = this.engine.status().clockSkewMs.store ?? 0;
    const isOfLedger =
      !this.others.isStoreIndependent && isBeyond(ofStoreMs) && !isBeyond(ofArrivalMs);
    return isOfLedger ? -ofStoreMs : 0;
  }

  /**
   * True if the ledger rejects every head because of the wrong clock: it compares the time of a
   * block with the machine's clock.
   */
  #isInTheWay(clockAheadMs: number): boolean {
    if (this.others.isStoreIndependent || !isBeyond(clockAheadMs)) return false;
    const why = this.engine.status().notJudged?.why;
    return why === (clockAheadMs < 0 ? 'HEAD_IN_FUTURE' : 'NO_YOUNG_HEAD');
  }

  /** @param ofArrivalMs age of the newest block at its first read, by the machine's clock */
  #clockAheadMs(ofArrivalMs: number): number | null {
    const ofStoreMs = this.engine.status().clockSkewMs.store;
    // SQLite follows the machine's clock as it was at the opening, so it reveals only later steps.
    if (ofStoreMs !== null && (this.others.isStoreIndependent || isBeyond(ofStoreMs)))
      return ofStoreMs;
    // A block can't be from the future, and nodes at the same head do not all lag by the same time.
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
