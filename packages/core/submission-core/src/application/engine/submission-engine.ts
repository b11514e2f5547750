import { runIsolated, type Felt } from '@sotto/kernel';
import type { LaneRole } from '../../domain/rows.js';
import type { StuckNonce } from '../../domain/stuck.js';
import { boundsFor, worstCaseFri, type GasPrices } from '../../domain/resource-bounds.js';
import { LedgerOfAnotherChain } from '../../errors.js';
import type { ChainHead } from '../../ports/chain.port.js';
import type { ChainChange, ChainEvents } from '../../ports/chain-events.port.js';
import { mayLackRows, type LedgerState } from '../../ports/ledger.port.js';
import { AttemptCache } from '../lane/attempt-cache.js';
import { bounded } from '../bounded.js';
import { Dispatcher } from './dispatcher.js';
import { HandOvers } from './hand-overs.js';
import { Housekeeping } from './housekeeping.js';
import type { MachineDependencies } from '../dependencies.js';
import { Lane, type LaneListener } from '../lane/lane.js';
import { FairLanes } from '../lane/fair-lanes.js';
import { LaneLease } from '../lane/lane-lease.js';
import { LaneStateLog, type Alarms, type LaneStatus } from '../lane/lane-status.js';
import { LaneWorker } from '../lane/lane-worker.js';
import { LedgerJudge, type NotJudged } from '../ledger/ledger-judge.js';
import { OwnChain } from '../ledger/own-chain.js';
import { LedgerRecovery } from '../ledger/ledger-recovery.js';
import { PollSchedule } from './poll-schedule.js';
import type { LaneIdentity, SubmissionSettings } from '../settings.js';
import { StoreTime } from '../store-time.js';
import { StuckNonceMonitor } from './stuck-nonce-monitor.js';

export interface EngineDependencies extends MachineDependencies {
  readonly events: ChainEvents;
}

/** State of the machine for the operator and the readiness check. */
export interface EngineStatus {
  readonly lanes: readonly LaneStatus[];
  /** Milliseconds since the last read of the chain for any lane; null before the first read. */
  readonly polledAgoMs: number | null;
  /** Reason why nothing is sent on any lane; null if sending is allowed. */
  readonly ledger:
    'NOT_READ' | 'NOT_JUDGED' | 'LEDGER_OF_ANOTHER_CHAIN' | 'LEDGER_BEHIND_CHAIN' | null;
  /**
   * Reason why the ledger is not judged or recovered yet. Null if the reason is unknown, or if the
   * ledger is in another state.
   */
  readonly notJudged: NotJudged | null;
  /**
   * Nonces of this instance's lanes that are undecided for too long, as of the last poll. The
   * operator should inspect these nonces.
   */
  readonly stuck: readonly StuckNonce[];
  readonly alarms: Readonly<Alarms>;
  /**
   * Milliseconds by which the machine's clock is ahead of the store's clock and the chain's clock.
   * Null if that clock was not read yet.
   */
  readonly clockSkewMs: { readonly store: number | null; readonly chain: number | null };
  /**
   * True if refusals of nodes are treated as inconclusive, either because of the settings or
   * because a refusal was disproved.
   */
  readonly isStrict: boolean;
}

/**
 * Runs the submission machine: one loop for any number of submissions and lanes. Each run of the
 * loop polls the chain separately for each lane. A run may fail at any point without damage,
 * because the ledger checks every write against the stored rows.
 */
export class SubmissionEngine {
  readonly #storeTime: StoreTime;
  readonly #hints: AttemptCache;
  readonly #alarms: Alarms = {
    foreign: 0,
    reopened: 0,
    reopenedFinal: 0,
    disprovedRefusals: 0,
    sharedInstanceIds: 0,
  };
  readonly #shares: FairLanes;
  readonly #handOvers: HandOvers;
  readonly #workers: LaneWorker[];
  readonly #dispatchers: ReadonlyMap<LaneRole, Dispatcher>;
  readonly #watch: StuckNonceMonitor;
  readonly #recovery: LedgerRecovery;
  readonly #judge: LedgerJudge;
  readonly #ownChain: OwnChain;
  readonly #laneLog: LaneStateLog;
  readonly #housekeeping: Housekeeping;
  readonly #stopping = new AbortController();
  readonly #looks = new PollSchedule();
  #wakeUp = new AbortController();
  #ledger: EngineStatus['ledger'] = 'NOT_READ';
  #isDisproved = false;
  #failedPolls = 0;
  /**
   * Time at which all rows of the ledger were last read and no lane was in quarantine, in ms; null
   * if there is no such read.
   */
  #orderlyAtMs: number | null = null;
  #recovering: Promise<boolean> | null = null;
  #loop: Promise<void> | null = null;
  #unsubscribe: () => void = () => {};

  constructor(
    private readonly deps: EngineDependencies,
    private readonly settings: SubmissionSettings,
  ) {
    if (settings.maxInFlightPerLane > settings.nonceWindow)
      throw new RangeError('a lane may have no more in flight than its nonce window');
    this.#storeTime = new StoreTime(deps.clock);
    this.#hints = new AttemptCache({ ...deps, storeTime: this.#storeTime });
    this.#judge = new LedgerJudge(deps, settings);
    this.#shares = new FairLanes(
      { ...deps, lanesChanged: () => deps.changes.lanesChanged() },
      settings,
    );
    this.#handOvers = new HandOvers({
      deps,
      shares: this.#shares,
      judge: this.#judge,
      workers: () => this.#workers,
    });
    this.#workers = settings.lanes.map((lane) => this.#workerFor(lane, true));
    this.#dispatchers = new Map(
      settings.lanes.map(({ role }) => [role, this.#dispatcherFor(role)]),
    );
    this.#watch = new StuckNonceMonitor(
      { storeTime: this.#storeTime, logger: deps.logger },
      settings.attentionAfterMs,
    );
    this.#recovery = new LedgerRecovery(deps, settings);
    this.#ownChain = new OwnChain(deps);
    this.#laneLog = new LaneStateLog(deps.logger);
    this.#housekeeping = new Housekeeping({
      deps,
      settings,
      hints: this.#hints,
      storeTime: this.#storeTime,
      lanes: () => this.#workers.map((worker) => worker.status()),
      blocksLeft: (attempt) => this.#lastPolled?.lane.heights.mostBlocksLeft(attempt) ?? 'enough',
    });
  }

  /**
   * Starts the loop. Resolves after the first poll, even if the node did not respond.
   * @throws LedgerOfAnotherChain if the ledger contains transactions of another chain
   */
  async start(): Promise<void> {
    this.deps.changes.onWork((id) => {
      if (id !== null) for (const dispatcher of this.#dispatchers.values()) dispatcher.offer(id);
      this.wake();
    });
    this.deps.changes.onLanesChanged(() => {
      this.#shares.expire();
      this.#pollBy(this.deps.clock.monotonicMs());
    });
    this.deps.changes.onExpected(({ role, target, calldata }) => {
      if (this.#keeps(role)) this.#hints.hashAhead(target, calldata);
    });
    this.deps.changes.onAccepted((attempt, calldata) => {
      if (this.#keeps(attempt.role)) this.#hints.bring(attempt, calldata);
      return this.#dispatchers.get(attempt.role)?.bring(attempt) ?? false;
    });
    this.deps.changes.onChangedElsewhere((id) => this.#hints.forgetCall(id));
    const lanes = this.settings.lanes.map(({ address }) => address);
    this.#unsubscribe = this.deps.events.subscribe(lanes, (change) => this.#pushed(change));
    const first = this.#round();
    this.#loop = this.#run(first);
    await first;
    if (this.#ledger === 'LEDGER_OF_ANOTHER_CHAIN')
      throw new LedgerOfAnotherChain({ message: 'the ledger holds transactions of another chain' });
  }

  /**
   * Ends the loop after the running step, waits for sends, and releases the lanes. Transactions in
   * flight remain in the ledger. An unavailable store does not block the stop, because leases
   * expire.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    this.#wakeUp.abort('woken');
    await this.#loop;
    await Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.stop()));
    await this.#recoveringInTime();
    await this.#housekeeping.stop();
    await this.#handOvers.idle();
    await runIsolated(this.deps.logger, 'submission work', { what: 'leaving the lanes' }, () =>
      bounded(this.deps.clock, this.settings.lookTimeoutMs, this.#shares.leave()),
    );
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    this.deps.changes.lanesChanged();
    this.#hints.forgetCalls();
  }

  /**
   * Offers new work to the lanes at once, based on the chain head of the last poll. The next poll
   * runs within the poll interval; it runs at once only if no lane can accept work.
   * @param isKnown true if this instance has accepted all of the new work itself
   */
  wake({ isKnown = false } = {}): void {
    if (this.#stopping.signal.aborted) return;
    void this.#giveWork({ isKnown });
    const nowMs = this.deps.clock.monotonicMs();
    const canGive = this.#workers.some((worker) => worker.canOffer);
    this.#pollBy(canGive ? nowMs + this.settings.pollIntervalMs : nowMs);
  }

  /**
   * Rereads a lane's row at once, because the row was changed by something other than the
   * submission machine.
   */
  rereadLane(address: Felt): void {
    for (const worker of this.#workers) if (worker.lane.address === address) worker.forgetRows();
    this.wake();
    this.#pollBy(this.deps.clock.monotonicMs());
  }

  /**
   * Ends an attempt's back-off, so that every instance tries the attempt at once. The usual rules
   * decide whether the attempt is sent.
   */
  retry(attemptId: string): void {
    this.#hints.endBackOff(attemptId);
    this.wake();
    this.deps.changes.workWaits(attemptId);
  }

  status(): EngineStatus {
    const nowMs = this.deps.clock.monotonicMs();
    const looks = this.#workers.flatMap(({ inspectedAtMs }) =>
      inspectedAtMs === null ? [] : [inspectedAtMs],
    );
    const ledger = this.#ownChain.isElsewhere
      ? 'LEDGER_OF_ANOTHER_CHAIN'
      : (this.#ledger ?? (this.#judge.isUpToChain ? null : 'NOT_JUDGED'));
    return {
      lanes: this.#workers.map((worker) => worker.status()),
      polledAgoMs: looks.length === 0 ? null : nowMs - Math.max(...looks),
      ledger,
      notJudged:
        ledger === 'NOT_JUDGED' || ledger === 'LEDGER_BEHIND_CHAIN' ? this.#judge.notJudged : null,
      stuck: this.#watch.stuck,
      alarms: { ...this.#alarms },
      clockSkewMs: { store: this.#storeTime.skewMs(), chain: this.#chainSkewMs() },
      isStrict: this.#isStrict,
    };
  }

  /**
   * Returns the balance that a relay lane needs at these prices to accept a usual submission, in
   * fri. Other lanes need no more.
   */
  neededFri(gasPrices: GasPrices): bigint {
    const { usualLimits, noopLimits, transferFri = 0n } = this.settings;
    const noop = worstCaseFri(boundsFor(noopLimits, gasPrices));
    return worstCaseFri(boundsFor(usualLimits ?? noopLimits, gasPrices)) + transferFri + noop;
  }

  /** True if the last poll found the ledger behind its chain. */
  get isLedgerBehind(): boolean {
    return this.#ledger === 'LEDGER_BEHIND_CHAIN';
  }

  get #isStrict(): boolean {
    return this.settings.strict || this.#isDisproved || this.#alarms.disprovedRefusals > 0;
  }

  /** Lane with the last successful poll; null before the first one. */
  get #lastPolled(): {
    readonly lane: Lane;
    readonly head: ChainHead;
    readonly inspectedAtMs: number;
  } | null {
    const polled = this.#workers.flatMap(({ lane, head, inspectedAtMs }) =>
      head === null || inspectedAtMs === null ? [] : [{ lane, head, inspectedAtMs }],
    );
    return polled.toSorted((a, b) => b.inspectedAtMs - a.inspectedAtMs)[0] ?? null;
  }

  #chainSkewMs(): number | null {
    const last = this.#lastPolled;
    if (last === null) return null;
    const sinceMs = this.deps.clock.monotonicMs() - last.inspectedAtMs;
    return this.deps.clock.nowMs() - sinceMs - last.head.timestamp * 1_000;
  }

  async #run(first: Promise<void>): Promise<void> {
    const { clock } = this.deps;
    await first;
    while (!this.#stopping.signal.aborted && this.#ledger !== 'LEDGER_OF_ANOTHER_CHAIN') {
      const wakeUp = this.#wakeUp.signal;
      const pauseMs = this.#looks.pauseMs(clock.monotonicMs());
      if (pauseMs > 0 && !wakeUp.aborted) await clock.sleep(pauseMs, wakeUp);
      if (wakeUp.aborted) this.#wakeUp = new AbortController();
      // A wake-up may leave a pause, though a shorter one.
      else await this.#round();
    }
  }

  /**
   * Schedules an earlier poll after a message of the node. The message itself proves nothing and is
   * not stored. While the node does not respond to polls, its messages cause no earlier poll.
   */
  #pushed(change: ChainChange): void {
    if (this.#failedPolls > 0) return;
    if (change === 'head' && !this.#workers.some(({ isBusy }) => isBusy)) return;
    this.#pollBy(this.deps.clock.monotonicMs());
  }

  #pollBy(atMs: number): void {
    this.#looks.by(atMs);
    this.#wakeUp.abort('woken');
  }

  /** Polls every lane once, and then does the work that has become possible. */
  async #round(): Promise<void> {
    const { pollIntervalMs, idleIntervalMs, lookTimeoutMs } = this.settings;
    const { clock } = this.deps;
    const open = this.#workers.reduce((sum, worker) => sum + worker.status().openNonces, 0);
    this.#looks.begun(clock.monotonicMs(), open);
    let polled = false;
    await this.#isolated('look', async () => {
      polled = await this.#poll();
    });
    this.#failedPolls = polled ? 0 : this.#failedPolls + 1;
    let busy = true;
    await this.#isolated('housekeeping', async () => {
      this.#housekeeping.wipe();
      if (this.#judge.isUpToChain) await bounded(clock, lookTimeoutMs, this.#housekeeping.expire());
      busy = this.#housekeeping.waits || this.#workers.some(({ isBusy }) => isBusy);
    });
    if (!polled) this.#looks.failed();
    const pauseMs = busy
      ? Math.min(pollIntervalMs * 2 ** this.#failedPolls, Math.max(pollIntervalMs, idleIntervalMs))
      : idleIntervalMs;
    this.#looks.ended(clock.monotonicMs(), pauseMs);
  }

  /** Polls every lane. Returns false if no lane could be polled. */
  async #poll(): Promise<boolean> {
    const { clock } = this.deps;
    const { lookTimeoutMs } = this.settings;
    if (this.#ledger === 'NOT_READ') await bounded(clock, lookTimeoutMs, this.#begin());
    if (this.#ledger === 'NOT_READ' || this.#ledger === 'LEDGER_OF_ANOTHER_CHAIN') return false;
    await this.#isolated('comparing the chain', () =>
      bounded(clock, lookTimeoutMs, this.#ownChain.compare()),
    );
    if (this.#ownChain.isElsewhere) return false;
    await this.#share();
    const looks = this.#workers.map((worker) => this.#isolated('lane', () => worker.poll()));
    const havePolled = await Promise.all(looks);
    this.#laneLog.note(this.#workers.map((worker) => worker.status()));
    await this.#isolated('judging the ledger', () =>
      bounded(clock, lookTimeoutMs, this.#judge.judge()),
    );
    // The polls may have shown that this instance is able to send on further lanes.
    await this.#share();
    this.#handOvers.begin();
    // A poll that was requested before the poll interval had passed does not reread the ledger's
    // rows. Lanes do not reread their own rows either in this case.
    const nowMs = clock.monotonicMs();
    const isKnown =
      this.#judge.isUpToChain &&
      this.#orderlyAtMs !== null &&
      nowMs - this.#orderlyAtMs < this.settings.pollIntervalMs;
    await bounded(clock, lookTimeoutMs, this.#giveWork({ polled: true, isKnown }));
    if (!isKnown) await this.#recover();
    this.#watch.poll(this.#workers.flatMap(({ watched }) => watched));
    return havePolled.length === 0 || havePolled.some((polled) => polled);
  }

  /**
   * Binds a new ledger to the chain, and follows lanes that are in the ledger but not in the
   * settings.
   */
  async #begin(): Promise<void> {
    const { ledger, reader, logger } = this.deps;
    const { chainId } = await reader.head([]);
    if (chainId !== this.settings.chainId) {
      logger.error({ chainId }, 'the node serves another chain: nothing is sent');
      return;
    }
    const genesisHash = await reader.blockHash(0);
    if (genesisHash === null) return;
    try {
      await ledger.bindChain({ chainId, genesisHash });
      this.#ownChain.bound(genesisHash);
    } catch (error) {
      if (!(error instanceof LedgerOfAnotherChain)) throw error;
      this.#ledger = 'LEDGER_OF_ANOTHER_CHAIN';
      logger.error({ error }, 'the ledger holds transactions of another chain');
      return;
    }
    const state = await ledger.state();
    const configured = new Set(this.settings.lanes.map(({ address }) => address));
    const unnamed: { readonly identity: LaneIdentity; readonly hasOpen: boolean }[] = [];
    for (const { address, role, nextNonce, quarantine } of state.lanes) {
      if (configured.has(address) || nextNonce === null) continue;
      const hasOpen = (await ledger.openNonces(address)).length > 0;
      const hasUnfinal = (await ledger.unfinalNonces(address, 'newest', 1)).length > 0;
      if (!hasOpen && !hasUnfinal && quarantine === null) continue;
      unnamed.push({ identity: { address, role, isRetiring: true }, hasOpen });
    }
    // Add either all of these lanes or none: if a read fails, this method starts again and would
    // add lanes twice.
    for (const { identity, hasOpen } of unnamed) this.#followUnnamed(identity, hasOpen);
    this.#keep(state);
  }

  /**
   * Adds a lane only once, even if a previous call of `#begin` was abandoned and completes later.
   */
  #followUnnamed(identity: LaneIdentity, hasOpen: boolean): void {
    const { address } = identity;
    if (this.#workers.some(({ lane }) => lane.address === address)) return;
    if (hasOpen)
      this.deps.logger.error(
        { lane: address },
        'a lane with undecided nonces is not in the settings: it is followed, and can not sign',
      );
    this.#workers.push(this.#workerFor(identity, false));
  }

  /**
   * Recovers the ledger, which may last minutes. Polls continue during the recovery, and only one
   * recovery runs at a time.
   */
  async #recover(): Promise<void> {
    this.#recovering ??= this.#isolated('recovery', () => this.#recoverOnce()).finally(() => {
      this.#recovering = null;
    });
    await this.#recoveringInTime();
  }

  async #recoveringInTime(): Promise<void> {
    const over = new AbortController();
    const late = this.deps.clock.sleep(this.settings.lookTimeoutMs, over.signal);
    await Promise.race([this.#recovering, late]);
    over.abort('over');
  }

  async #recoverOnce(): Promise<void> {
    const { ledger, clock } = this.deps;
    const { lookTimeoutMs } = this.settings;
    const beganMs = clock.monotonicMs();
    this.#orderlyAtMs = null;
    const state = await bounded(clock, lookTimeoutMs, ledger.state());
    this.#keep(state);
    await this.#recovery.follow(state, this.#judge.isUpToChain);
    if (state.lanes.some(({ quarantine }) => quarantine !== null))
      this.#keep(await bounded(clock, lookTimeoutMs, ledger.state()));
    else this.#orderlyAtMs = beganMs;
  }

  #keep(state: LedgerState): void {
    this.#storeTime.read(state.nowMs);
    this.#isDisproved = state.disprovedRefusals > 0;
    this.#ledger = mayLackRows(state) ? 'LEDGER_BEHIND_CHAIN' : null;
  }

  /** Offers waiting attempts to the lanes of their role (row St-P of the transition table). */
  async #giveWork(
    after: { readonly polled?: boolean; readonly isKnown?: boolean } = {},
  ): Promise<void> {
    if (this.#ledger !== null || !this.#judge.isUpToChain || this.#ownChain.isElsewhere) return;
    if (this.#stopping.signal.aborted) return;
    await Promise.all(
      [...this.#dispatchers.values()].map((dispatcher) => dispatcher.request(after)),
    );
  }

  /**
   * True if this instance prepares a new attempt of this role itself. If other instances exist, it
   * does so only while its lanes have room.
   */
  #keeps(role: LaneRole): boolean {
    if (this.#shares.isShared(role)) return this.#dispatchers.get(role)?.hasRoom === true;
    return this.#workers.some(({ lane }) => lane.isHeld && lane.role === role);
  }

  /** Announces the lanes on which this instance is able to send, and reads who holds which lane. */
  async #share(): Promise<void> {
    const able = this.#workers.flatMap(({ isAble, lane }) => (isAble ? [lane.address] : []));
    await this.#isolated('sharing lanes', () =>
      bounded(this.deps.clock, this.settings.lookTimeoutMs, this.#shares.share(able)),
    );
  }

  #dispatcherFor(role: LaneRole): Dispatcher {
    const { ledger, logger } = this.deps;
    const workers = this.#workers.filter(({ lane }) => lane.role === role);
    const { ceilingL2PriceFri, lookTimeoutMs } = this.settings;
    return new Dispatcher({
      role,
      workers,
      ledger,
      hints: this.#hints,
      logger,
      clock: this.deps.clock,
      ceilingL2PriceFri,
      maxInFlightPerLane: this.settings.maxInFlightPerLane,
      storeTime: this.#storeTime,
      instance: this.settings.instance,
      shares: this.#shares,
      passTimeoutMs: lookTimeoutMs,
    });
  }

  #workerFor(identity: LaneIdentity, isConfigured: boolean): LaneWorker {
    const { deps, settings } = this;
    const { role } = identity;
    const lease = new LaneLease(
      identity,
      deps.ledger,
      deps.clock,
      deps.logger,
      this.#alarms,
      this.#shares,
      {
        ...settings,
        onLost: () => this.#hints.forgetCalls(),
      },
    );
    const others = settings.lanes.filter(
      (other) =>
        other.role === role && other.address !== identity.address && other.isRetiring !== true,
    );
    const listener: LaneListener = {
      answered: () => {
        this.#looks.sent(deps.clock.monotonicMs());
        this.#wakeUp.abort('woken');
      },
      isStrict: () => this.#isStrict,
      diagnose: () => worker.diagnose(others.length > 0),
      refused: (attempt) => {
        if (attempt?.state === 'accepted') this.#hints.backOff(attempt.id);
        void this.#dispatchers.get(role)?.request();
      },
    };
    const lane = new Lane(
      identity,
      lease,
      this.#hints,
      this.#storeTime,
      this.#alarms,
      this.#judge,
      deps,
      settings,
      listener,
    );
    const worker = new LaneWorker(lane, isConfigured);
    return worker;
  }

  /** Runs work and logs its failure. Starts no work once the engine is stopping. */
  async #isolated(what: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false;
    return runIsolated(this.deps.logger, 'submission work', { what }, work);
  }
}
