import type { Felt } from '@sotto/kernel';
import { refOf, type Attempt, type LaneRole, type OpenNonce } from '../domain/rows.js';
import type { TransactionSighting } from '../domain/sighting.js';
import type { StuckNonce } from '../domain/stuck.js';
import type { Broadcaster, ChainHead } from '../ports/chain.port.js';
import { AttemptHints } from './attempt-hints.js';
import { attemptWork } from './attempt-work.js';
import { Dispatcher } from './dispatcher.js';
import { LaneContext, type LaneDependencies } from './lane-context.js';
import { LaneLease } from './lane-lease.js';
import { LaneWorker, type LaneState } from './lane-worker.js';
import { Sender } from './sender.js';
import type { LaneIdentity, SubmissionSettings } from './settings.js';
import { StuckWatch, type WatchedNonce } from './stuck-watch.js';

export interface EngineDependencies extends LaneDependencies {
  readonly broadcaster: Broadcaster;
}

/** What the operator and the readiness check see of the machine. */
export interface EngineStatus {
  readonly lanes: readonly (LaneIdentity & { readonly state: LaneState })[];
  /** When the chain was last read; null before the first time. */
  readonly lastLookMs: number | null;
  /** What an operator should look at: nonces of this instance's lanes that are undecided for too long, as the last look showed them. */
  readonly stuck: readonly StuckNonce[];
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
  readonly #hints: AttemptHints;
  readonly #workers: readonly LaneWorker[];
  readonly #dispatchers: ReadonlyMap<LaneRole, Dispatcher>;
  readonly #watch: StuckWatch;
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
    this.#hints = new AttemptHints(on);
    this.#workers = settings.lanes.map((lane) => this.#workerFor(lane));
    this.#dispatchers = new Map(settings.lanes.map(({ role }) => [role, this.#dispatcherFor(role)]));
    this.#watch = new StuckWatch(on, settings.attentionAfterMs);
  }

  /** Starts the loop; resolves after the first round, whether or not the chain answered. */
  async start(): Promise<void> {
    this.on.changes.onWork(() => this.wake());
    const first = this.#round();
    this.#loop = this.#run(first);
    await first;
  }

  /** Ends the loop, lets sends that are under way end and gives the lanes back. What is in flight stays in the ledger. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp.abort();
    await this.#loop;
    await Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.stop()));
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  /** There is new work: lanes take it with the last look at the chain, without waiting for the next. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    void this.#giveWork();
    this.#wakeUp.abort();
  }

  status(): EngineStatus {
    return {
      lanes: this.#workers.map((worker) => ({ ...worker.lane, state: worker.state })),
      lastLookMs: this.#head?.readAtMs ?? null,
      stuck: this.#watch.stuck,
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
      busy = waits || this.#workers.some(({ isBusy }) => isBusy);
    });
    return busy ? Math.min(pollIntervalMs * 2 ** this.#failedLooks, Math.max(pollIntervalMs, idleIntervalMs)) : idleIntervalMs;
  }

  async #look(): Promise<void> {
    const held: LaneWorker[] = [];
    for (const worker of this.#workers) if (await worker.hold()) held.push(worker);
    const lanes = await Promise.all(held.map(async (worker) => ({ worker, open: await this.on.ledger.openNonces(worker.lane.address) })));
    const hashes = lanes.flatMap(({ open }) => open.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)));
    // Both are asked in one tick, so that a batching reader makes one request of them.
    const [head, sightings] = await Promise.all([
      this.on.reader.head(this.#workers.map(({ lane }) => lane.address)),
      hashes.length === 0 ? [] : this.on.reader.sightings(hashes),
    ]);
    this.#head = { head, readAtMs: this.on.clock.nowMs() };
    const byHash = new Map<Felt, TransactionSighting>();
    for (const [index, hash] of hashes.entries()) byHash.set(hash, sightings[index] ?? { kind: 'unknown' });
    await Promise.all(lanes.map(({ worker, open }) => this.#guarded('lane', () => worker.follow(open, head, byHash))));
    await this.#giveWork({ looked: true });
    this.#watch.look(lanes.flatMap(({ worker, open }) => open.map((nonce) => watched(worker, nonce, head, byHash))));
  }

  /** P': everybody who waits, to the lanes of their role. */
  async #giveWork(after: { readonly looked?: boolean } = {}): Promise<void> {
    await Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.request(after)));
  }

  #dispatcherFor(role: LaneRole): Dispatcher {
    const { ledger, logger } = this.on;
    const workers = this.#workers.filter(({ lane }) => lane.role === role);
    const { ceilingL2PriceFri } = this.settings;
    return new Dispatcher({ role, workers, ledger, hints: this.#hints, logger, ceilingL2PriceFri, head: () => this.#freshHead() });
  }

  #workerFor(lane: LaneIdentity): LaneWorker {
    const { on, settings } = this;
    const context = new LaneContext(lane, new LaneLease(lane, on.ledger, on.clock, on.logger, settings), this.#hints, on, settings);
    const sender = new Sender(on, settings, {
      refused: (attempt) => {
        if (attempt?.state === 'accepted') this.#hints.holdBack(attempt.id);
        void this.#dispatchers.get(lane.role)?.request();
      },
      refusedInVain: (nonce, hash, refusal) => context.refusals.note(nonce, hash, refusal),
    });
    return new LaneWorker(context, sender);
  }

  /** X: nobody found a nonce for them in time. True while others wait. */
  async #expireWaiting(): Promise<boolean> {
    let waits = false;
    const nowMs = this.on.clock.nowMs();
    for (const role of new Set(this.settings.lanes.map((lane) => lane.role))) {
      for (const attempt of await this.on.ledger.waiting(role, EXPIRY_BATCH)) {
        if (nowMs < this.#waitsUntilMs(attempt)) {
          waits = true;
          continue;
        }
        const expired = { type: 'end_waiting', attempt: refOf(attempt), to: 'expired', code: 'NOT_SENT_IN_TIME', atMs: nowMs } as const;
        if ((await this.on.ledger.record(expired)).written) this.on.changes.changed(attempt.id);
        this.#hints.forget(attempt);
      }
    }
    return waits;
  }

  /** What has been sent once is not given up for a long queue. */
  #waitsUntilMs({ readmit, acceptedAtMs, deadlineMs }: Attempt): number {
    return readmit ? deadlineMs : Math.min(acceptedAtMs + this.settings.queueTimeoutMs, deadlineMs);
  }

  async #wipe(): Promise<void> {
    const nowMs = this.on.clock.nowMs();
    if (this.#lastWipeMs !== null && nowMs - this.#lastWipeMs < this.settings.wipeIntervalMs) return;
    this.#lastWipeMs = nowMs;
    const wiped = await this.on.ledger.wipe(nowMs - this.settings.retentionMs);
    if (wiped === 0) return;
    this.on.reached('wiped');
    this.on.logger.info({ attempts: wiped }, 'private data of ended attempts wiped');
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

function watched(worker: LaneWorker, nonce: OpenNonce, head: ChainHead, sightings: WatchedNonce['sightings']): WatchedNonce {
  const passedByChain = (head.accounts.get(worker.lane.address)?.nonce ?? 0n) > nonce.row.nonce;
  return { nonce, sightings, passedByChain, unwanted: worker.whyUnwanted(nonce) };
}
