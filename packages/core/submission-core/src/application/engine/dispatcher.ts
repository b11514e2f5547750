import { runIsolated, type Clock, type Felt, type Logger } from '@sotto/kernel';
import { chooseLane, inFairOrder } from '../../domain/assign-lanes.js';
import { boundsFor } from '../../domain/resource-bounds.js';
import type { Attempt, LaneRole } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';
import type { FairLanes } from '../lane/fair-lanes.js';
import type { AttemptCache } from '../lane/attempt-cache.js';
import { bounded } from '../bounded.js';
import type { StoreTime } from '../store-time.js';
import type { LaneCapacity, LaneWorker } from '../lane/lane-worker.js';

/**
 * Maximum number of waiting attempts that are read for one pass. If the queue is longer, only the
 * oldest attempts are read.
 */
const LOOKED_THROUGH = 1_000;

export interface DispatcherParts {
  readonly role: LaneRole;
  readonly workers: readonly LaneWorker[];
  readonly ledger: Ledger;
  readonly hints: AttemptCache;
  readonly logger: Logger;
  readonly ceilingL2PriceFri: bigint;
  readonly maxInFlightPerLane: number;
  readonly clock: Clock;
  readonly storeTime: StoreTime;
  /** Name of this instance, under which it reserves attempts. */
  readonly instance: string;
  readonly shares: Pick<FairLanes, 'isShared'>;
  /** Timeout of a pass, in ms. A pass whose reads last longer is abandoned. */
  readonly passTimeoutMs: number;
}

/**
 * Time in ms for which an attempt belongs to the instance that has accepted it, if this instance's
 * lanes have room. The owner needs no reservation, and other instances leave the attempt alone.
 */
const KEPT_MS = 2_000;
/**
 * Additional time before other instances prepare the attempt, in ms. The owner can finish its work
 * in this time.
 */
const KEPT_MARGIN_MS = 1_000;
/** Duration of a reservation, in ms. After this time, another instance may prepare the attempt. */
const RESERVED_MS = 10_000;
/**
 * Time in ms for which an attempt is left alone after another instance had reserved it: as long as
 * the back-off of an attempt that the other instance could not prepare.
 */
const LEFT_ALONE_MS = 2_000;
/** Maximum number of attempts that are remembered as offered, or as reserved by other instances. */
const MAX_REMEMBERED = 10_000;

/**
 * Assigns waiting attempts of one role to its lanes, in fair order. Each attempt goes to the lane
 * that can pay for the attempt and has most free slots. A busy lane offers no slots, so no attempt
 * waits for a slow lane. An attempt that can't be sent delays no other attempt.
 */
export class Dispatcher {
  /** Attempts that a lane is preparing now, so that they are not assigned to a second lane. */
  readonly #assigned = new Map<string, Attempt>();
  readonly #underway = new Set<Promise<void>>();
  /** Waiting attempts as last read; null if the queue must be read again. */
  #queue: readonly Attempt[] | null = null;
  /**
   * Number of changes of the queue. A read during which the queue changes is used once and not
   * stored.
   */
  #changes = 0;
  /** Attempts that need no reservation, with the time until which they need none, in ms. */
  readonly #kept = new Map<string, number>();
  /** Attempts that other instances have offered. */
  readonly #offered = new Set<string>();
  /** Attempts that other instances have reserved, with the time of the next try, in ms. */
  readonly #reservedElsewhere = new Map<string, number>();
  #pass: Promise<void> | null = null;
  /** Number of passes that have begun. */
  #passes = 0;
  #again = false;
  #polled = false;
  #stopped = false;

  constructor(private readonly parts: DispatcherParts) {}

  /**
   * Requests a pass because work, free slots or balances may have changed. Resolves when a pass
   * that began after this call has ended.
   * @param polled true if the chain was just read: lanes then receive their free nonces even if no
   *   attempt waits
   * @param isKnown true if the queue in memory is complete and need not be read again
   */
  request({ polled = false, isKnown = false } = {}): Promise<void> {
    if (!isKnown) this.#heard(null);
    return this.#passAgain({ polled });
  }

  /**
   * Adds an attempt that this instance has just accepted. If the queue is in memory, the attempt
   * becomes its last entry. Returns true if this instance prepares the attempt at once. Otherwise
   * the attempt should be offered to the other instances.
   */
  bring(attempt: Attempt): boolean {
    const queue = this.#queue;
    this.#heard(queue === null || queue.length >= LOOKED_THROUGH ? queue : [...queue, attempt]);
    const isKept = this.hasRoom;
    if (isKept) this.#keep(attempt.id);
    else this.offer(attempt.id);
    return isKept;
  }

  /** Records that every instance may prepare an attempt at once. */
  offer(id: string): void {
    if (this.#offered.size >= MAX_REMEMBERED) this.#offered.clear();
    this.#offered.add(id);
  }

  /**
   * True if the held lanes have room and funds for one more attempt, in addition to those assigned.
   */
  get hasRoom(): boolean {
    const { workers, maxInFlightPerLane } = this.parts;
    this.#endKeeping();
    const slots = workers
      .filter(({ lane, isUsable }) => lane.isHeld && isUsable && lane.judge.isUpToChain)
      .map((worker) => worker.status())
      .filter(({ state }) => state !== 'short_of_funds')
      .reduce((sum, { openNonces }) => sum + maxInFlightPerLane - openNonces, 0);
    return slots > Math.max(this.#assigned.size, this.#kept.size);
  }

  async #passAgain({ polled = false } = {}): Promise<void> {
    this.#polled ||= polled;
    this.#again = true;
    this.#pass ??= this.#run();
    await this.#pass;
  }

  /** Stops assigning attempts. Resolves when all assigned attempts are prepared. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pass;
    while (this.#underway.size > 0) await Promise.allSettled(this.#underway);
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await runIsolated(
        this.parts.logger,
        'submission work',
        { what: 'giving work to lanes' },
        () => bounded(this.parts.clock, this.parts.passTimeoutMs, this.#once()),
      );
    }
    this.#pass = null;
  }

  async #once(): Promise<void> {
    const pass = (this.#passes += 1);
    const polled = this.#polled;
    this.#polled = false;
    if (!polled && this.#queue?.length === 0) return;
    const idle = this.parts.workers.filter(
      ({ lane, isUsable }) => lane.isHeld && lane.isIdle && isUsable,
    );
    let offers: LaneCapacity[] = (await Promise.all(idle.map((worker) => worker.offer()))).filter(
      (offer) => offer !== null,
    );
    const couldNotPay = new Set<LaneWorker>();
    const chosenLanes = new Map<Attempt, LaneCapacity>();
    for (const attempt of await this.#waiting(offers)) {
      if (offers.every(({ freeSlots }) => freeSlots <= 0)) break;
      const chosen = chooseLane(offers.filter((offer) => this.#suits(offer, attempt, couldNotPay)));
      if (chosen === null) continue;
      offers = offers.map((offer) => (offer === chosen ? oneLess(offer) : offer));
      chosenLanes.set(attempt, chosen);
    }
    const reserved = await this.#reserved([...chosenLanes.keys()]);
    // This pass was abandoned, and a later pass may have given the same attempts to lanes.
    if (pass !== this.#passes) return;
    for (const [attempt, chosen] of chosenLanes)
      if (reserved.has(attempt.id)) this.#give(attempt, chosen);
    // The slots of the other attempts are free for attempts that are further back in the queue.
    if (reserved.size < chosenLanes.size) this.#again = true;
    for (const offer of offers) offer.worker.offered(offer, couldNotPay.has(offer.worker));
  }

  /**
   * True if the lane can pay for the attempt, and the gas price is not above the maximum. False for
   * the lane that the attempt should avoid after a rejection, unless no other lane is usable.
   */
  #suits({ worker, head }: LaneCapacity, attempt: Attempt, couldNotPay: Set<LaneWorker>): boolean {
    const bounds = boundsFor(attempt.limits, head.gasPrices);
    if (!worker.lane.canPayCall(head, bounds)) {
      couldNotPay.add(worker);
      return false;
    }
    if (bounds.l2Gas.maxPriceFri > this.parts.ceilingL2PriceFri) return false;
    return worker.lane.address !== attempt.avoidLane || !this.#hasOther(worker);
  }

  #hasOther(worker: LaneWorker): boolean {
    return this.parts.workers.some(
      (other) => other !== worker && other.lane.isHeld && other.isUsable,
    );
  }

  /** Returns waiting attempts in fair order. Reads nothing while no lane has a free slot. */
  async #waiting(offers: readonly LaneCapacity[]): Promise<readonly Attempt[]> {
    if (offers.every(({ freeSlots }) => freeSlots <= 0)) return [];
    const waiting = await this.#read();
    const isShared = this.#isShared;
    const inFlight = new Map<Felt, number>();
    const held = [
      ...this.parts.workers.flatMap(({ targets }) => targets),
      ...[...this.#assigned.values()].map(({ target }) => target.to),
    ];
    for (const to of held) inFlight.set(to, (inFlight.get(to) ?? 0) + 1);
    return inFairOrder(
      waiting.filter(
        (attempt) =>
          !this.parts.hints.isBackedOff(attempt) &&
          !this.#assigned.has(attempt.id) &&
          (!isShared || this.#mayTake(attempt)),
      ),
      inFlight,
    );
  }

  async #read(): Promise<readonly Attempt[]> {
    if (this.#queue !== null) return this.#queue;
    const changes = this.#changes;
    const waiting = await this.parts.ledger.waiting(this.parts.role, LOOKED_THROUGH);
    if (changes === this.#changes) this.#queue = waiting;
    return waiting;
  }

  /**
   * True if this instance may prepare the attempt now, although other instances have lanes of the
   * role. An attempt that another instance has just accepted belongs to that instance for a short
   * time.
   */
  #mayTake({ id, acceptedAtMs }: Attempt): boolean {
    const nowMs = this.parts.clock.monotonicMs();
    if ((this.#kept.get(id) ?? 0) > nowMs) return true;
    if ((this.#reservedElsewhere.get(id) ?? 0) > nowMs) return false;
    const storeNowMs = this.parts.storeTime.nowMs();
    const isOld = storeNowMs === null || storeNowMs - acceptedAtMs >= KEPT_MS + KEPT_MARGIN_MS;
    return isOld || this.#offered.has(id);
  }

  /**
   * Reserves attempts that other instances could prepare too. Returns the ids of the attempts that
   * this instance prepares.
   */
  async #reserved(attempts: readonly Attempt[]): Promise<ReadonlySet<string>> {
    const { ledger, instance, clock } = this.parts;
    const nowMs = clock.monotonicMs();
    const unreserved = this.#isShared
      ? attempts.filter(({ id }) => (this.#kept.get(id) ?? 0) <= nowMs)
      : [];
    const ids = unreserved.map(({ id }) => id);
    const reserved = new Set(
      ids.length === 0 ? [] : await ledger.reserve(ids, instance, RESERVED_MS),
    );
    const lost = ids.filter((id) => !reserved.has(id));
    for (const id of lost) {
      if (this.#reservedElsewhere.size >= MAX_REMEMBERED) this.#reservedElsewhere.clear();
      this.#reservedElsewhere.set(id, nowMs + LEFT_ALONE_MS);
      this.#offered.delete(id);
    }
    const elsewhere = new Set(lost);
    return new Set(attempts.flatMap(({ id }) => (elsewhere.has(id) ? [] : [id])));
  }

  /**
   * Ends the reservation of an attempt that this instance could not prepare. Otherwise this
   * instance would reserve the attempt again and again, and no other instance could try.
   */
  async #release({ id }: Attempt): Promise<void> {
    const { ledger, instance, clock, logger, passTimeoutMs } = this.parts;
    if (!this.#isShared || (this.#kept.get(id) ?? 0) > clock.monotonicMs()) return;
    await runIsolated(logger, 'submission work', { what: 'releasing an attempt' }, async () => {
      await bounded(clock, passTimeoutMs, ledger.reserve([id], instance, 0));
    });
  }

  get #isShared(): boolean {
    return this.parts.shares.isShared(this.parts.role);
  }

  #keep(id: string): void {
    this.#kept.set(id, this.parts.clock.monotonicMs() + KEPT_MS);
  }

  #endKeeping(): void {
    const nowMs = this.parts.clock.monotonicMs();
    for (const [oldest, untilMs] of this.#kept) {
      if (untilMs > nowMs) break;
      this.#kept.delete(oldest);
    }
  }

  #give(attempt: Attempt, offer: LaneCapacity): void {
    this.#assigned.set(attempt.id, attempt);
    // Start hashing before the lane is free: hashing is slow and needs no nonce.
    this.parts.hints.hashOf(attempt).catch(() => undefined);
    const underway = this.#prepare(attempt, offer).finally(() => {
      this.#assigned.delete(attempt.id);
      this.#underway.delete(underway);
      void this.#passAgain();
    });
    this.#underway.add(underway);
  }

  async #prepare(attempt: Attempt, { worker, head }: LaneCapacity): Promise<void> {
    const isHandled = await worker.lane.prepare(attempt, head);
    if (isHandled) {
      this.#kept.delete(attempt.id);
      this.#offered.delete(attempt.id);
    } else await this.#release(attempt);
    const others = this.#queue?.filter(({ id }) => id !== attempt.id) ?? null;
    // An attempt that was not prepared may have ended or may still wait. Read the queue again.
    this.#heard(isHandled ? others : null);
  }

  #heard(queue: readonly Attempt[] | null): void {
    this.#queue = queue;
    this.#changes += 1;
  }
}

function oneLess(offer: LaneCapacity): LaneCapacity {
  return {
    ...offer,
    freeSlots: offer.freeSlots - 1,
    gaps: Math.max(offer.gaps - 1, 0),
    given: offer.given + 1,
  };
}
