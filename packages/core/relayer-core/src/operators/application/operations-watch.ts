import { DomainError, runIsolated, type Clock, type Logger } from '@sotto/kernel';
import {
  LIVE_STATES,
  isLive,
  type RegisteredSubmission,
  type SubmissionNotifier,
  type SubmissionRegister,
} from '@sotto/submission-core';
import type { GuardedPool } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type {
  GetOperatorStatus,
  OperatedLane,
} from '../../status/application/get-operator-status.js';
import {
  operatedSubmission,
  type OperatedSubmission,
  type OperatedSubmissionPolicy,
} from '../domain/operated-submission.js';

export type OperatorEvent =
  /** The reader may have missed changes, so it must reload all data. */
  | { readonly kind: 'resync' }
  /** Nothing has changed. */
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'submission'; readonly submission: OperatedSubmission }
  | { readonly kind: 'lane'; readonly lane: OperatedLane }
  | { readonly kind: 'pool'; readonly pool: GuardedPool };

export interface WatchPorts {
  readonly register: Pick<SubmissionRegister, 'page' | 'ofId'>;
  readonly operations: Pick<GetOperatorStatus, 'execute'>;
  readonly changes: Pick<SubmissionNotifier, 'follow'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface WatchPolicy extends OperatedSubmissionPolicy {
  /**
   * Interval for comparing rows without a notification, in milliseconds. A lost notification delays
   * an event by at most this time.
   */
  readonly rowsIntervalMs: number;
  /** Interval for comparing lanes and pools, in milliseconds. */
  readonly statusIntervalMs: number;
}

/**
 * Maximum number of rows that one round reads: rows that have not ended in each state, and rows
 * that are read individually.
 */
const MAX_ROWS = 500;
/**
 * Maximum number of notifications that are buffered while the store is unavailable. If more arrive,
 * all data is read again.
 */
const MAX_HINTED = 10_000;

/**
 * Compares rows, lanes and pools with their last known state and sends the differences to the
 * readers, until the watch is stopped. Notifications only start a comparison; the events are
 * computed from the rows.
 */
export class OperationsWatch {
  /**
   * Resolves after the first read of rows, whether it succeeded or not. If this read fails, a
   * `resync` is sent after the first successful read.
   */
  readonly hasBegun: Promise<void>;
  readonly #stopping = new AbortController();
  readonly #unfollow: () => void;
  #arrival = new AbortController();
  /** Ids of submissions that the next round reads, in any state. */
  readonly #hinted = new Set<string>();
  /** Last known state of submissions that have not ended, by id. */
  readonly #live = new Map<string, string>();
  /** Last known state of lanes and pools, by name. */
  readonly #parts = new Map<string, string>();
  #hasRead = false;
  #hasMissed = false;

  constructor(
    private readonly ports: WatchPorts,
    private readonly policy: WatchPolicy,
    private readonly send: (event: OperatorEvent) => void,
  ) {
    this.#unfollow = ports.changes.follow((id) => this.#hear(id));
    this.hasBegun = this.#poll(() => this.#compareRows());
    void this.#followRows();
    void this.#followParts();
  }

  stop(): void {
    this.#unfollow();
    this.#stopping.abort();
  }

  #hear(id: string): void {
    if (this.#hinted.size < MAX_HINTED) this.#hinted.add(id);
    else this.#hasMissed = true;
    this.#arrival.abort();
  }

  async #followRows(): Promise<void> {
    const { signal } = this.#stopping;
    await this.hasBegun;
    while (!signal.aborted) {
      const woken = AbortSignal.any([this.#arrival.signal, signal]);
      await this.ports.clock.sleep(this.policy.rowsIntervalMs, woken);
      this.#arrival = new AbortController();
      if (!signal.aborted) await this.#poll(() => this.#compareRows());
    }
  }

  async #followParts(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#poll(() => this.#compareParts());
      await this.ports.clock.sleep(this.policy.statusIntervalMs, signal);
    }
  }

  /** Runs a comparison. Never rejects. */
  async #poll(compare: () => Promise<void>): Promise<void> {
    await runIsolated(this.ports.logger, 'the watch for operators', {}, async () => {
      try {
        await compare();
      } catch (error) {
        // The store is unavailable. The operator's status reports this, so do not log it here.
        if (!(error instanceof DomainError)) throw error;
        this.#hasMissed = true;
      }
    });
  }

  async #compareRows(): Promise<void> {
    const { register } = this.ports;
    const hinted = [...this.#hinted].slice(0, MAX_ROWS);
    const pages = await Promise.all(
      LIVE_STATES.map((state) => register.page({ state }, null, MAX_ROWS)),
    );
    const live = pages.flatMap(({ submissions }) => submissions);
    const seen = new Set(live.map(({ attempt }) => attempt.id));
    const others = [...new Set([...hinted, ...this.#live.keys()])].filter((id) => !seen.has(id));
    const read: RegisteredSubmission[] = [];
    for (const id of others.slice(0, MAX_ROWS)) {
      const found = await register.ofId(id);
      if (found === null) this.#live.delete(id);
      else read.push(found);
    }
    for (const id of hinted) this.#hinted.delete(id);
    const isFirst = !this.#hasRead;
    this.#hasRead = true;
    if (this.#hasMissed) this.#emit({ kind: 'resync' });
    this.#hasMissed = false;
    for (const row of [...live, ...read]) this.#compareRow(row, isFirst);
  }

  #compareRow(row: RegisteredSubmission, isFirst: boolean): void {
    const { id, state } = row.attempt;
    const poll = pollsOf(row);
    const isSame = this.#live.get(id) === poll;
    if (isLive(state)) this.#live.set(id, poll);
    else this.#live.delete(id);
    if (isSame || isFirst) return;
    this.#emit({ kind: 'submission', submission: operatedSubmission(row, this.policy) });
  }

  async #compareParts(): Promise<void> {
    const { lanes, pools } = await this.ports.operations.execute();
    for (const lane of lanes) this.#comparePart(lane.address, lane, { kind: 'lane', lane });
    for (const pool of pools) this.#comparePart(pool.pool.key, pool, { kind: 'pool', pool });
  }

  #comparePart(name: string, part: OperatedLane | GuardedPool, event: OperatorEvent): void {
    const poll = JSON.stringify(part, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    if (this.#parts.get(name) === poll) return;
    this.#parts.set(name, poll);
    this.#emit(event);
  }

  #emit(event: OperatorEvent): void {
    if (!this.#stopping.signal.aborted) this.send(event);
  }
}

/**
 * Returns the fields of a submission that operators see, as text. If the text differs from the last
 * one, the submission has changed.
 */
function pollsOf({ attempt, transactions }: RegisteredSubmission): string {
  const { state, lane, nonce, readmit, isFinal, transactionHash } = attempt;
  return [
    [state, lane, nonce, readmit, isFinal, transactionHash].join(),
    ...transactions.map(({ hash, sendCount, claimedAtMs, gone, seen }) =>
      [hash, sendCount, claimedAtMs, gone, seen?.execution].join(),
    ),
  ].join('|');
}
