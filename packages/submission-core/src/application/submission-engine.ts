import type { Felt } from '@sotto/kernel';
import { refOf, type OpenNonce } from '../domain/rows.js';
import type { TransactionSighting } from '../domain/sighting.js';
import type { Broadcaster, ChainHead } from '../ports/chain.port.js';
import { attemptWork } from './attempt-work.js';
import { LaneContext, type LaneDependencies } from './lane-context.js';
import { LaneLease } from './lane-lease.js';
import { LaneWorker } from './lane-worker.js';
import { Sender } from './sender.js';
import type { LaneIdentity, SubmissionSettings } from './settings.js';
import type { LaneState } from './take-work.js';

export interface EngineDependencies extends LaneDependencies {
  readonly broadcaster: Broadcaster;
}

/** What the operator and the readiness check see of the machine. */
export interface EngineStatus {
  readonly lanes: readonly (LaneIdentity & { readonly state: LaneState })[];
  /** When the chain was last read; null before the first time. */
  readonly lastLookMs: number | null;
}

/** A look at the chain may serve new work for so many idle intervals. */
const HEAD_LIVES_INTERVALS = 3;
/** Waiting attempts looked through for expiry at a time. */
const EXPIRY_BATCH = 100;

/**
 * Runs the machine: one loop for everything in flight, whatever the number of submissions and lanes.
 * Each round is one batched look at the chain; all decisions are guarded writes, so a round may fail anywhere.
 */
export class SubmissionEngine {
  readonly #workers: readonly LaneWorker[];
  readonly #stopping = new AbortController();
  #wakeUp = new AbortController();
  #head: { readonly head: ChainHead; readonly readAtMs: number } | null = null;
  #lastWipeMs: number | null = null;
  #failedLooks = 0;
  #loop: Promise<void> | null = null;

  constructor(
    private readonly on: EngineDependencies,
    private readonly settings: SubmissionSettings,
  ) {
    this.#workers = settings.lanes.map((lane) => {
      const context = new LaneContext(lane, new LaneLease(lane, on.ledger, on.clock, on.logger, settings), on, settings);
      return new LaneWorker(context, new Sender(on, settings, (id) => context.holdBack(id)));
    });
  }

  /** Starts the loop; resolves after the first round, whether or not the chain answered. */
  async start(): Promise<void> {
    const first = this.#round();
    this.#loop = this.#run(first);
    await first;
  }

  /** Ends the loop, lets sends that are under way end and gives the lanes back. What is in flight stays in the ledger. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp.abort();
    await this.#loop;
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  /** There is new work: lanes take it with the last look at the chain, without waiting for the next. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    const head = this.#freshHead();
    if (head !== null) {
      for (const worker of this.#workers) void this.#guarded('taking work', () => worker.takeWork(head));
    }
    this.#wakeUp.abort();
  }

  status(): EngineStatus {
    return {
      lanes: this.#workers.map((worker) => ({ ...worker.lane, state: worker.state })),
      lastLookMs: this.#head?.readAtMs ?? null,
    };
  }

  async #run(first: Promise<number>): Promise<void> {
    let pauseMs = await first;
    while (!this.#stopping.signal.aborted) {
      const wakeUp = this.#wakeUp.signal;
      await this.on.clock.sleep(pauseMs, wakeUp);
      if (wakeUp.aborted) this.#wakeUp = new AbortController();
      if (this.#stopping.signal.aborted) return;
      pauseMs = await this.#round();
    }
  }

  /** One look and all that follows from it; returns how long to pause before the next. */
  async #round(): Promise<number> {
    const { pollIntervalMs, idleIntervalMs } = this.settings;
    const looked = await this.#guarded('look', () => this.#look());
    this.#failedLooks = looked ? 0 : this.#failedLooks + 1;
    let busy = true;
    await this.#guarded('housekeeping', async () => {
      const waits = await this.#expireWaiting();
      await this.#wipe();
      busy = waits || (await this.#openNonces()).some((nonces) => nonces.length > 0);
    });
    return busy ? Math.min(pollIntervalMs * 2 ** this.#failedLooks, Math.max(pollIntervalMs, idleIntervalMs)) : idleIntervalMs;
  }

  async #look(): Promise<void> {
    const held: LaneWorker[] = [];
    for (const worker of this.#workers) if (await worker.hold()) held.push(worker);
    const open = await this.#openNonces();
    const hashes = open.flatMap((nonces) => nonces.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)));
    // Both are asked in one tick, so that a batching reader makes one request of them.
    const [head, sightings] = await Promise.all([
      this.on.reader.head(this.#workers.map(({ lane }) => lane.address)),
      hashes.length === 0 ? [] : this.on.reader.sightings(hashes),
    ]);
    this.#head = { head, readAtMs: this.on.clock.nowMs() };
    const byHash = new Map<Felt, TransactionSighting>();
    for (const [index, hash] of hashes.entries()) byHash.set(hash, sightings[index] ?? { kind: 'unknown' });
    await Promise.all(
      this.#workers.map((worker, index) =>
        this.#guarded('lane', async () => {
          if (!held.includes(worker)) return;
          await worker.follow(open[index] ?? [], head, byHash);
          await worker.takeWork(head);
        }),
      ),
    );
  }

  /** By lane, in the workers' order. */
  #openNonces(): Promise<(readonly OpenNonce[])[]> {
    return Promise.all(this.#workers.map(({ lane }) => this.on.ledger.openNonces(lane.address)));
  }

  /** X: nobody found a nonce for them in time. True while others wait. */
  async #expireWaiting(): Promise<boolean> {
    let waits = false;
    const nowMs = this.on.clock.nowMs();
    for (const role of new Set(this.settings.lanes.map((lane) => lane.role))) {
      for (const attempt of await this.on.ledger.waiting(role, EXPIRY_BATCH)) {
        if (nowMs < attempt.acceptedAtMs + this.settings.queueTimeoutMs && nowMs < attempt.deadlineMs) {
          waits = true;
          continue;
        }
        const expired = { type: 'end_waiting', attempt: refOf(attempt), to: 'expired', code: 'NOT_SENT_IN_TIME', atMs: nowMs } as const;
        if ((await this.on.ledger.record(expired)).written) this.on.changes.changed(attempt.id);
      }
    }
    return waits;
  }

  async #wipe(): Promise<void> {
    const nowMs = this.on.clock.nowMs();
    if (this.#lastWipeMs !== null && nowMs - this.#lastWipeMs < this.settings.wipeIntervalMs) return;
    this.#lastWipeMs = nowMs;
    const wiped = await this.on.ledger.wipe(nowMs - this.settings.retentionMs);
    if (wiped > 0) this.on.logger.info({ attempts: wiped }, 'private data of ended attempts wiped');
  }

  #freshHead(): ChainHead | null {
    if (this.#head === null) return null;
    const ageMs = this.on.clock.nowMs() - this.#head.readAtMs;
    return ageMs <= HEAD_LIVES_INTERVALS * this.settings.idleIntervalMs ? this.#head.head : null;
  }

  #guarded(what: string, work: () => Promise<void>): Promise<boolean> {
    return attemptWork(this.on.logger, { what }, work);
  }
}
