import type { Logger } from '@sotto/kernel';
import type { OpenNonce } from '../../domain/rows.js';
import { describeStuck, undecidedSince, type StuckNonce } from '../../domain/stuck.js';
import type { WatchedNonce } from '../lane/lane-worker.js';
import type { StoreTime } from '../store-time.js';

/** Reports to the operator nonces that are undecided for too long. Logs each such nonce once. */
export class StuckNonceMonitor {
  /**
   * Time at which a nonce was first seen open, in ms. Used for nonces whose row contains no time.
   */
  #firstSeenMs = new Map<string, number>();
  #logged = new Set<string>();
  #stuck: readonly StuckNonce[] = [];

  constructor(
    private readonly deps: { readonly storeTime: StoreTime; readonly logger: Logger },
    private readonly afterMs: number,
  ) {}

  get stuck(): readonly StuckNonce[] {
    return this.#stuck;
  }

  /**
   * @param watched all open nonces of the lanes whose lease this instance has, as of the last poll
   */
  poll(watched: readonly WatchedNonce[]): void {
    const nowMs = this.deps.storeTime.nowMs();
    if (nowMs === null) return;
    const before = this.#firstSeenMs;
    this.#firstSeenMs = new Map(
      watched.map(({ nonce }) => [nameOf(nonce), before.get(nameOf(nonce)) ?? nowMs]),
    );
    this.#stuck = watched.flatMap(({ nonce, ...facts }) => {
      const sinceMs = undecidedSince(nonce) ?? this.#firstSeenMs.get(nameOf(nonce)) ?? nowMs;
      return nowMs - sinceMs < this.afterMs
        ? []
        : [describeStuck(nonce, { ...facts, sinceMs, nowMs })];
    });
    for (const { lane, nonce, attempt, forMs, passedByChain, unwanted, transactions } of this
      .#stuck) {
      const name = `${lane}:${nonce}`;
      if (this.#logged.has(name)) continue;
      this.deps.logger.error(
        {
          lane,
          nonce: String(nonce),
          submission: attempt?.id ?? null,
          forMs,
          passedByChain,
          unwanted,
          transactions: transactions
            .map(({ hash, kind, claims, seen }) => `${kind} ${hash} claims ${claims} ${seen}`)
            .join(', '),
        },
        'a nonce is undecided for too long',
      );
    }
    this.#logged = new Set(this.#stuck.map(({ lane, nonce }) => `${lane}:${nonce}`));
  }
}

const nameOf = ({ row }: OpenNonce): string => `${row.lane}:${row.nonce}`;
