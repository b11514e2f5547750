import { runIsolated, type Felt } from '@sotto/kernel';
import type { LaneRole } from '../../domain/rows.js';
import type { StuckNonce } from '../../domain/stuck.js';
import { boundsFor, worstCaseFri, type GasPrices } from '../../domain/resource-bounds.js';
import { LedgerOfAnotherChain } from '../../errors.js';
import type { ChainChange, ChainEvents } from '../../ports/chain-events.port.js';
import { mayLackRows, type LedgerState } from '../../ports/ledger.port.js';
import { AttemptCache } from '../lane/attempt-cache.js';
import { bounded } from '../bounded.js';
import { Dispatcher } from './dispatcher.js';
import { Housekeeping } from './housekeeping.js';
import type { MachineDependencies } from '../dependencies.js';
import { Lane, type LaneListener } from '../lane/lane.js';
import { LaneLease } from '../lane/lane-lease.js';
import { LaneStateLog, type Alarms, type LaneStatus } from '../lane/lane-status.js';
import { LaneWorker } from '../lane/lane-worker.js';
import { LedgerJudge, type NotJudged } from '../ledger/ledger-judge.js';
import { OwnChain } from '../ledger/own-chain.js';
import { LedgerRecovery } from '../ledger/ledger-recovery.js';
import { LookSchedule } from './look-schedule.js';
import type { LaneIdentity, SubmissionSettings } from '../settings.js';
import { StoreTime } from '../store-time.js';
import { StuckNonceMonitor } from './stuck-nonce-monitor.js';

export interface EngineDependencies extends MachineDependencies {
  readonly events: ChainEvents;
}

/** What the operator and the readiness check see of the machine. */
export interface EngineStatus {
  readonly lanes: readonly LaneStatus[];
  /** Milliseconds since the chain was last read for any lane; null before the first time. */
  readonly lookedAgoMs: number | null;
  /** Why nothing new is sent at all; null while something may be. */
  readonly ledger:
    'NOT_READ' | 'NOT_JUDGED' | 'LEDGER_OF_ANOTHER_CHAIN' | 'LEDGER_BEHIND_CHAIN' | null;
  /** Why the ledger is not judged or recovers, where that is known; null in its other states. */
  readonly notJudged: NotJudged | null;
  /**
   * What an operator should look at: nonces of this instance's lanes that are undecided for too
   * long, as the last look showed them.
   */
  readonly stuck: readonly StuckNonce[];
  readonly alarms: Readonly<Alarms>;
  /** How far the machine's clock is ahead; null where nothing to compare it with was read. */
  readonly clockSkewMs: { readonly store: number | null; readonly chain: number | null };
  /** True once a refusal was disproved, or by the settings: no refusal is believed. */
  readonly isStrict: boolean;
}

/**
 * Runs the machine: one loop for everything in flight, whatever the number of submissions and
 * lanes. Each round is one look at the chain for each lane, apart from all others; all decisions
 * are guarded writes, so a round may fail anywhere.
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
  readonly #workers: LaneWorker[];
  readonly #dispatchers: ReadonlyMap<LaneRole, Dispatcher>;
  readonly #watch: StuckNonceMonitor;
  readonly #recovery: LedgerRecovery;
  readonly #judge: LedgerJudge;
  readonly #ownChain: OwnChain;
  readonly #laneLog: LaneStateLog;
  readonly #housekeeping: Housekeeping;
  readonly #stopping = new AbortController();
  readonly #looks = new LookSchedule();
  #wakeUp = new AbortController();
  #ledger: EngineStatus['ledger'] = 'NOT_READ';
  #isDisproved = false;
  #failedLooks = 0;
  /** When rows of the whole ledger were read last, and found in order; null where they were not. */
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
    });
  }

  /**
   * Starts the loop; resolves after the first round, whether or not the chain answered.
   * Rejects with `LedgerOfAnotherChain` where the ledger holds another chain's transactions.
   */
  async start(): Promise<void> {
    this.deps.changes.onWork(() => this.wake());
    this.deps.changes.onExpected(({ role, target, calldata }) => {
      if (this.#serves(role)) this.#hints.hashAhead(target, calldata);
    });
    this.deps.changes.onAccepted((attempt, calldata) => {
      if (this.#serves(attempt.role)) this.#hints.bring(attempt, calldata);
      this.#dispatchers.get(attempt.role)?.bring(attempt);
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
   * Ends the loop with the step that is under way, lets sends end and gives the lanes back. What is
   * in flight stays in the ledger. A store that is away is no reason not to stop: leases run out.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    this.#wakeUp.abort('woken');
    await this.#loop;
    await Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.stop()));
    await this.#recoveringInTime();
    await this.#housekeeping.stop();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    this.#hints.forgetCalls();
  }

  /**
   * There is new work: lanes take it with the last look at the chain, without waiting for the next.
   * That one comes after the send; at once only where no lane can take anything before it.
   * @param isKnown it is all what this instance has accepted itself
   */
  wake({ isKnown = false } = {}): void {
    if (this.#stopping.signal.aborted) return;
    void this.#giveWork({ isKnown });
    const nowMs = this.deps.clock.monotonicMs();
    const canGive = this.#workers.some((worker) => worker.canOffer);
    this.#lookBy(canGive ? nowMs + this.settings.pollIntervalMs : nowMs);
  }

  /** The row of a lane was written by another hand than the machine's: it is read at once. */
  rereadLane(address: Felt): void {
    for (const worker of this.#workers) if (worker.lane.address === address) worker.forgetRows();
    this.wake();
    this.#lookBy(this.deps.clock.monotonicMs());
  }

  /**
   * An attempt is worth another look at once, here and in every other instance: what is sent then,
   * and whether, is decided as always.
   */
  retry(attemptId: string): void {
    this.#hints.endBackOff(attemptId);
    this.wake();
    this.deps.changes.workWaits();
  }

  status(): EngineStatus {
    const nowMs = this.deps.clock.monotonicMs();
    const looks = this.#workers.flatMap(({ lookedAtMs }) =>
      lookedAtMs === null ? [] : [lookedAtMs],
    );
    const ledger = this.#ownChain.isElsewhere
      ? 'LEDGER_OF_ANOTHER_CHAIN'
      : (this.#ledger ?? (this.#judge.isUpToChain ? null : 'NOT_JUDGED'));
    return {
      lanes: this.#workers.map((worker) => worker.status()),
      lookedAgoMs: looks.length === 0 ? null : nowMs - Math.max(...looks),
      ledger,
      notJudged:
        ledger === 'NOT_JUDGED' || ledger === 'LEDGER_BEHIND_CHAIN' ? this.#judge.notJudged : null,
      stuck: this.#watch.stuck,
      alarms: { ...this.#alarms },
      clockSkewMs: { store: this.#storeTime.skewMs(), chain: this.#chainSkewMs() },
      isStrict: this.#isStrict,
    };
  }

  /** What a lane must hold at these prices to take a usual submission. */
  neededFri(gasPrices: GasPrices): bigint {
    const { usualLimits, noopLimits } = this.settings;
    const noop = worstCaseFri(boundsFor(noopLimits, gasPrices));
    return worstCaseFri(boundsFor(usualLimits ?? noopLimits, gasPrices)) + noop;
  }

  /** As the last look showed it. */
  get isLedgerBehind(): boolean {
    return this.#ledger === 'LEDGER_BEHIND_CHAIN';
  }

  get #isStrict(): boolean {
    return this.settings.strict || this.#isDisproved || this.#alarms.disprovedRefusals > 0;
  }

  #chainSkewMs(): number | null {
    const newest = this.#workers.flatMap(({ head, lookedAtMs }) =>
      head === null || lookedAtMs === null ? [] : [{ head, lookedAtMs }],
    );
    const [last] = newest.toSorted((a, b) => b.lookedAtMs - a.lookedAtMs);
    if (last === undefined) return null;
    const sinceMs = this.deps.clock.monotonicMs() - last.lookedAtMs;
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
      // Woken up, it may have to pause on, though not for so long.
      else await this.#round();
    }
  }

  /**
   * A node says that something has changed. Only the next look comes earlier: it alone shows what
   * is so. A node that does not answer is not asked more often for what is pushed.
   */
  #pushed(change: ChainChange): void {
    if (this.#failedLooks > 0) return;
    if (change === 'head' && !this.#workers.some(({ isBusy }) => isBusy)) return;
    this.#lookBy(this.deps.clock.monotonicMs());
  }

  #lookBy(atMs: number): void {
    this.#looks.by(atMs);
    this.#wakeUp.abort('woken');
  }

  /** One look for each lane and all that follows from it. */
  async #round(): Promise<void> {
    const { pollIntervalMs, idleIntervalMs, lookTimeoutMs } = this.settings;
    const { clock } = this.deps;
    const open = this.#workers.reduce((sum, worker) => sum + worker.status().openNonces, 0);
    this.#looks.begun(clock.monotonicMs(), open);
    let looked = false;
    await this.#isolated('look', async () => {
      looked = await this.#look();
    });
    this.#failedLooks = looked ? 0 : this.#failedLooks + 1;
    let busy = true;
    await this.#isolated('housekeeping', async () => {
      this.#housekeeping.wipe();
      if (this.#judge.isUpToChain) await bounded(clock, lookTimeoutMs, this.#housekeeping.expire());
      busy = this.#housekeeping.waits || this.#workers.some(({ isBusy }) => isBusy);
    });
    if (!looked) this.#looks.failed();
    const pauseMs = busy
      ? Math.min(pollIntervalMs * 2 ** this.#failedLooks, Math.max(pollIntervalMs, idleIntervalMs))
      : idleIntervalMs;
    this.#looks.ended(clock.monotonicMs(), pauseMs);
  }

  /** False when no lane could look. */
  async #look(): Promise<boolean> {
    const { clock } = this.deps;
    const { lookTimeoutMs } = this.settings;
    if (this.#ledger === 'NOT_READ') await bounded(clock, lookTimeoutMs, this.#begin());
    if (this.#ledger === 'NOT_READ' || this.#ledger === 'LEDGER_OF_ANOTHER_CHAIN') return false;
    await this.#isolated('comparing the chain', () =>
      bounded(clock, lookTimeoutMs, this.#ownChain.compare()),
    );
    if (this.#ownChain.isElsewhere) return false;
    const looks = this.#workers.map((worker) => this.#isolated('lane', () => worker.look()));
    const haveLooked = await Promise.all(looks);
    this.#laneLog.note(this.#workers.map((worker) => worker.status()));
    await this.#isolated('judging the ledger', () =>
      bounded(clock, lookTimeoutMs, this.#judge.judge()),
    );
    // As a lane's own rows, in looks that are brought forward.
    const nowMs = clock.monotonicMs();
    const isKnown =
      this.#judge.isUpToChain &&
      this.#orderlyAtMs !== null &&
      nowMs - this.#orderlyAtMs < this.settings.pollIntervalMs;
    await bounded(clock, lookTimeoutMs, this.#giveWork({ looked: true, isKnown }));
    if (!isKnown) await this.#recover();
    this.#watch.look(this.#workers.flatMap(({ watched }) => watched));
    return haveLooked.length === 0 || haveLooked.some((looked) => looked);
  }

  /**
   * Meets the chain: binds a new ledger to it, and follows lanes that the ledger holds and the
   * settings do not name.
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
    // All of them or none, since a read that fails begins this again.
    for (const { identity, hasOpen } of unnamed) this.#followUnnamed(identity, hasOpen);
    this.#keep(state);
  }

  /** Once, also where an earlier beginning that was given up comes to its end after all. */
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

  /** A recovery may take minutes: rounds go on meanwhile, and only one is under way. */
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

  /** St-P: whatever waits, to the lanes of its role. */
  async #giveWork(
    after: { readonly looked?: boolean; readonly isKnown?: boolean } = {},
  ): Promise<void> {
    if (this.#ledger !== null || !this.#judge.isUpToChain || this.#ownChain.isElsewhere) return;
    if (this.#stopping.signal.aborted) return;
    await Promise.all(
      [...this.#dispatchers.values()].map((dispatcher) => dispatcher.request(after)),
    );
  }

  #serves(role: LaneRole): boolean {
    return this.#workers.some(({ lane }) => lane.isHeld && lane.role === role);
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
      passTimeoutMs: lookTimeoutMs,
    });
  }

  #workerFor(identity: LaneIdentity, isConfigured: boolean): LaneWorker {
    const { deps, settings } = this;
    const { role } = identity;
    const lease = new LaneLease(identity, deps.ledger, deps.clock, deps.logger, this.#alarms, {
      ...settings,
      onLost: () => this.#hints.forgetCalls(),
    });
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

  /** Nothing begins once the engine is to stop. */
  async #isolated(what: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false;
    return runIsolated(this.deps.logger, 'submission work', { what }, work);
  }
}
