import { runIsolated, type Clock, type Felt, type Logger } from '@sotto/kernel';
import { chooseLane, inFairOrder } from '../../domain/assign-lanes.js';
import { boundsFor } from '../../domain/resource-bounds.js';
import type { Attempt, LaneRole } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';
import type { AttemptCache } from '../lane/attempt-cache.js';
import { bounded } from '../bounded.js';
import type { LaneCapacity, LaneWorker } from '../lane/lane-worker.js';

/** Waiting attempts looked at for one pass: longer queues are looked through from their old end. */
const LOOKED_THROUGH = 1_000;

export interface DispatcherParts {
  readonly role: LaneRole;
  readonly workers: readonly LaneWorker[];
  readonly ledger: Ledger;
  readonly hints: AttemptCache;
  readonly logger: Logger;
  readonly ceilingL2PriceFri: bigint;
  readonly clock: Clock;
  /** A pass whose reads take longer is given up. */
  readonly passTimeoutMs: number;
}

/**
 * Gives waiting attempts of one role to its lanes: in fair order, each to the lane that has most
 * room and can pay. A busy lane gets no offers, so no attempt waits behind a slow lane; an attempt
 * that can't be sent delays no other.
 */
export class Dispatcher {
  /** Attempts on their way to a nonce, so that no second lane is asked. */
  readonly #assigned = new Map<string, Attempt>();
  readonly #underway = new Set<Promise<void>>();
  /**
   * Attempts that wait, as they were read since the last sign of further work; null where they have
   * to be read.
   */
  #queue: readonly Attempt[] | null = null;
  /** How often something was heard of the queue: a read beside that is used once, and not kept. */
  #changes = 0;
  #pass: Promise<void> | null = null;
  #again = false;
  #looked = false;
  #stopped = false;

  constructor(private readonly parts: DispatcherParts) {}

  /**
   * Something has changed: work, room or money. Resolves when a pass that began after this call is
   * over.
   * @param looked the chain was read: lanes receive their free nonces even when no attempt waits
   * @param isKnown what waits is what is known to wait: it is not read for this
   */
  request({ looked = false, isKnown = false } = {}): Promise<void> {
    if (!isKnown) this.#heard(null);
    return this.#passAgain({ looked });
  }

  /** This instance has just accepted an attempt. Where the queue is known, it is the last of it. */
  bring(attempt: Attempt): void {
    const queue = this.#queue;
    this.#heard(queue === null || queue.length >= LOOKED_THROUGH ? queue : [...queue, attempt]);
  }

  async #passAgain({ looked = false } = {}): Promise<void> {
    this.#looked ||= looked;
    this.#again = true;
    this.#pass ??= this.#run();
    await this.#pass;
  }

  /** No further attempt is given away; what has been is prepared. */
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
    const looked = this.#looked;
    this.#looked = false;
    if (!looked && this.#queue?.length === 0) return;
    const idle = this.parts.workers.filter(
      ({ lane, isUsable }) => lane.isHeld && lane.isIdle && isUsable,
    );
    let offers: LaneCapacity[] = (await Promise.all(idle.map((worker) => worker.offer()))).filter(
      (offer) => offer !== null,
    );
    const couldNotPay = new Set<LaneWorker>();
    for (const attempt of await this.#waiting(offers)) {
      if (offers.every(({ freeSlots }) => freeSlots <= 0)) break;
      const chosen = chooseLane(offers.filter((offer) => this.#suits(offer, attempt, couldNotPay)));
      if (chosen === null) continue;
      offers = offers.map((offer) => (offer === chosen ? oneLess(offer) : offer));
      this.#give(attempt, chosen);
    }
    for (const offer of offers) offer.worker.offered(offer, couldNotPay.has(offer.worker));
  }

  /**
   * The lane can pay, within the ceiling, and is not the one that refused the attempt while another
   * one can take it.
   */
  #suits({ worker, head }: LaneCapacity, attempt: Attempt, couldNotPay: Set<LaneWorker>): boolean {
    const bounds = boundsFor(attempt.limits, head.gasPrices);
    if (!worker.lane.canPay(head, bounds)) {
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

  /** In fair order; nothing is read while no lane has room. */
  async #waiting(offers: readonly LaneCapacity[]): Promise<readonly Attempt[]> {
    if (offers.every(({ freeSlots }) => freeSlots <= 0)) return [];
    const waiting = await this.#read();
    const inFlight = new Map<Felt, number>();
    const held = [
      ...this.parts.workers.flatMap(({ targets }) => targets),
      ...[...this.#assigned.values()].map(({ target }) => target.to),
    ];
    for (const to of held) inFlight.set(to, (inFlight.get(to) ?? 0) + 1);
    return inFairOrder(
      waiting.filter(
        (attempt) => !this.parts.hints.isBackedOff(attempt) && !this.#assigned.has(attempt.id),
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

  #give(attempt: Attempt, offer: LaneCapacity): void {
    this.#assigned.set(attempt.id, attempt);
    // Hashing is the slow part and needs no nonce: it starts before the lane's turn comes.
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
    const others = this.#queue?.filter(({ id }) => id !== attempt.id) ?? null;
    // What became of an attempt that was not prepared, its row says.
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
