import { Cached, type Clock, type Felt } from '@sotto/kernel';
import type { ChainHead, ChainReader, SubmissionEngine } from '@sotto/submission-core';

/** The newest block, as this instance's node shows it. */
export interface HeadStatus {
  readonly blockNumber: number;
  /** By the block's own timestamp, or since no newer one came where that is longer. */
  readonly ageMs: number;
}

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
    return { blockNumber, ageMs: Math.max(0, ofBlockMs, this.clock.monotonicMs() - sinceMs) };
  }

  #accounts(): readonly Felt[] {
    return this.engine
      .status()
      .lanes.flatMap(({ role, address }) => (role === 'relay' ? [address] : []));
  }
}
