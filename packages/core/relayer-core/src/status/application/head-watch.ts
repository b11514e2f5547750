import { Cached, type Clock, type Felt } from '@sotto/kernel';
import type { ChainHead, ChainReader, SubmissionEngine } from '@sotto/submission-core';
import type { NodeDirectory } from '../ports/node-directory.port.js';

/** Newest block that this instance's node returned. */
export interface HeadStatus {
  readonly blockNumber: number;
  /**
   * Age of the block by its timestamp, in milliseconds. If no newer block was returned for a longer
   * time, that time.
   */
  readonly ageMs: number;
  /**
   * Milliseconds by which the machine's clock is ahead of the true time; negative if the clock is
   * behind. Null if unknown.
   */
  readonly clockAheadMs: number | null;
  /**
   * Milliseconds by which the ledger's times are ahead of the machine's clock. Computed only if the
   * store uses the machine's clock and the newest block agrees with this clock. 0 if unknown.
   */
  readonly ledgerAheadMs: number;
  /** True if this instance sends no transaction because the machine's clock is wrong. */
  readonly isClockInTheWay: boolean;
}

/** Clocks with which the machine's clock is compared. */
export interface OtherClocks {
  /** True if the store has its own clock, like PostgreSQL. */
  readonly isStoreIndependent: boolean;
  readonly nodes?: NodeDirectory;
}

/**
 * Difference of two clocks up to which they are treated as equal, in milliseconds. A block is made
 * and read with a delay.
 */
export const CLOCK_TOLERANCE_MS = 60_000;

const isBeyond = (ms: number): boolean => Math.abs(ms) > CLOCK_TOLERANCE_MS;

/**
 * Milliseconds for which the result of a read is shared, so that several parts that are checked
 * concurrently need only one read.
 */
const SHARED_MS = 500;

/**
 * Follows the newest block of the chain, and reads the balances of all relay lanes in the same
 * request.
 */
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
      // A lower block number means that there was a reorg or that a different node responded. This
      // is recorded as a change of the head too.
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
   * Returns the milliseconds by which the ledger's times are ahead. This happens if the clock was
   * wrong when rows were written or the ledger was opened, and was corrected later.
   * @param ofArrivalMs age of the newest block at its first read, by the machine's clock
   */
  #ledgerAheadMs(ofArrivalMs: number): number {
    const ofStoreMs = this.engine.status().clockSkewMs.store ?? 0;
    const isOfLedger =
      !this.others.isStoreIndependent && isBeyond(ofStoreMs) && !isBeyond(ofArrivalMs);
    return isOfLedger ? -ofStoreMs : 0;
  }

  /**
   * True if the ledger rejects every head because the machine's clock is wrong: the ledger compares
   * the time of a block with that clock.
   */
  #isInTheWay(clockAheadMs: number): boolean {
    if (this.others.isStoreIndependent || !isBeyond(clockAheadMs)) return false;
    const why = this.engine.status().notJudged?.why;
    return why === (clockAheadMs < 0 ? 'HEAD_IN_FUTURE' : 'NO_YOUNG_HEAD');
  }

  /** @param ofArrivalMs age of the newest block at its first read, by the machine's clock */
  #clockAheadMs(ofArrivalMs: number): number | null {
    const ofStoreMs = this.engine.status().clockSkewMs.store;
    // On SQLite, the ledger's time begins with the machine's clock when the ledger is opened. So a
    // comparison with it reveals only jumps of the clock since then.
    if (ofStoreMs !== null && (this.others.isStoreIndependent || isBeyond(ofStoreMs)))
      return ofStoreMs;
    // A block can't be from the future, so a negative age proves that the clock is wrong. If
    // several nodes return the same head, they are unlikely to lag by the same time, so a high age
    // also means that the clock is wrong.
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
