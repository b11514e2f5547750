import type { Clock, Felt, Logger } from '@sotto/kernel';
import {
  lanesToHandOver,
  mayLease,
  type HandOver,
  type LaneShare,
} from '../../domain/lane-shares.js';
import type { LaneRole } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';
import type { SubmissionSettings } from '../settings.js';

/**
 * Time in ms for which an instance announces no lane after it gave a lane up because it was unable
 * to send. The time doubles with each repetition, up to the maximum.
 */
const FIRST_REST_MS = 60_000;
const MAX_REST_MS = 900_000;
/** Time after the end of a rest after which the next rest begins with the first length, in ms. */
const FORGOTTEN_AFTER_MS = 900_000;
/** Minimum time between two reads that expired leases cause, in ms. */
const MIN_READ_DISTANCE_MS = 500;

export interface FairLanesParts {
  readonly ledger: Pick<Ledger, 'announce'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Logger;
  /** Notifies the other instances that they should read the lanes. */
  readonly lanesChanged: () => void;
}

/**
 * Shares the lanes with the other instances of the store. The shares are read a few times per lease
 * duration. Wrong shares cost only time, because the ledger grants each lease.
 */
export class FairLanes {
  #shares: ReadonlyMap<Felt, LaneShare> | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #isExpired = true;
  #announced: ReadonlySet<Felt> = new Set();
  readonly #disagreements = new Set<Felt>();
  #rest: { readonly untilMs: number; readonly lengthMs: number } | null = null;

  constructor(
    private readonly parts: FairLanesParts,
    private readonly settings: Pick<SubmissionSettings, 'instance' | 'leaseTtlMs' | 'lanes'>,
  ) {}

  /**
   * True if another instance holds a lane or is able to send on one, as last read.
   * @param role role of the lanes @default any role
   */
  isShared(role?: LaneRole): boolean {
    const { instance } = this.settings;
    return [...(this.#shares?.values() ?? [])].some(
      (share) =>
        (role === undefined || share.role === role) &&
        ((share.holder !== null && share.holder !== instance) ||
          share.candidates.some((name) => name !== instance)),
    );
  }

  /** Makes the next call of {@link share} read the lanes again. */
  expire(): void {
    this.#isExpired = true;
  }

  /**
   * Announces the lanes on which this instance is able to send, and reads the shares, if that is
   * due. Rejects with the error of the store.
   */
  async share(able: readonly Felt[]): Promise<void> {
    const { ledger, clock, lanesChanged } = this.parts;
    const { instance, leaseTtlMs } = this.settings;
    const nowMs = clock.monotonicMs();
    const rested = nowMs < (this.#rest?.untilMs ?? 0) ? [] : able;
    const isNew = rested.some((lane) => !this.#announced.has(lane));
    if (!isNew && !this.#isDue(nowMs)) return;
    this.#isExpired = false;
    // Announcements of a dead instance expire before its leases. So its lanes are not handed back
    // to it.
    const shares = await ledger.announce(instance, rested, Math.ceil((2 * leaseTtlMs) / 3));
    // A later call has read newer shares, because this call was slow.
    if (nowMs < this.#readAtMs) return;
    this.#announced = new Set(rested);
    this.#readAtMs = nowMs;
    this.#shares = new Map(shares.map((share) => [share.address, share]));
    if (isNew && this.isShared()) lanesChanged();
    this.#nameDisagreements();
  }

  /**
   * True if this instance may try to lease the lane. Also true for a lane that was not read yet and
   * for a lane whose lease has expired since the read.
   */
  mayLease(address: Felt): boolean {
    const share = this.#shares?.get(address);
    if (share === undefined) return true;
    const hasExpired = share.leasedForMs <= this.parts.clock.monotonicMs() - this.#readAtMs;
    return mayLease(hasExpired ? { ...share, holder: null } : share, this.settings.instance);
  }

  /** Returns the lanes that this instance should hand over, as last read. */
  handOvers(): readonly HandOver[] {
    return lanesToHandOver([...(this.#shares?.values() ?? [])], this.settings.instance);
  }

  /**
   * Records that a lane was handed over. If this instance was unable to send on the lane, it
   * announces no lane for a time. Otherwise two instances could hand a lane back and forth. No rest
   * follows if the settings exclude the lane from sends, or if this instance can't judge the ledger
   * yet: then it gets no lane anyway.
   */
  handedOver(
    { address, to }: HandOver,
    { waitsForNode }: { readonly waitsForNode: boolean },
  ): void {
    const { logger, lanesChanged } = this.parts;
    const isAble = this.#announced.has(address);
    const settings = this.settings.lanes.find((lane) => lane.address === address);
    const isForSends = settings !== undefined && settings.isRetiring !== true;
    if (!isAble && isForSends && !waitsForNode) this.#beginRest();
    const because = isAble ? 'share' : isForSends ? 'unable' : 'settings';
    logger.info({ lane: address, to, because }, 'lane handed over');
    this.#isExpired = true;
    lanesChanged();
  }

  /**
   * Withdraws the announcements of this instance, so that no lane is handed to it any more. Rejects
   * with the error of the store.
   */
  async leave(): Promise<void> {
    this.#announced = new Set();
    await this.parts.ledger.announce(this.settings.instance, [], 0);
  }

  /** Logs once each lane that another instance holds in another role than these settings state. */
  #nameDisagreements(): void {
    const { instance, lanes } = this.settings;
    for (const { address, role } of lanes) {
      const share = this.#shares?.get(address);
      const { holder = null, role: heldAs = role } = share ?? {};
      if (holder === null || holder === instance || heldAs === role) continue;
      if (this.#disagreements.has(address)) continue;
      this.#disagreements.add(address);
      this.parts.logger.error(
        { lane: address, role, holder, heldAs },
        'another instance holds this lane in another role: the settings of the instances disagree',
      );
    }
  }

  #beginRest(): void {
    const nowMs = this.parts.clock.monotonicMs();
    const { untilMs = 0, lengthMs: lastMs = 0 } = this.#rest ?? {};
    if (nowMs < untilMs) return;
    const isFirst = lastMs === 0 || nowMs - untilMs >= FORGOTTEN_AFTER_MS;
    const lengthMs = isFirst ? FIRST_REST_MS : Math.min(2 * lastMs, MAX_REST_MS);
    this.#rest = { untilMs: nowMs + lengthMs, lengthMs };
  }

  #isDue(nowMs: number): boolean {
    const agoMs = nowMs - this.#readAtMs;
    if (this.#isExpired || agoMs >= this.settings.leaseTtlMs / 3) return true;
    return agoMs >= MIN_READ_DISTANCE_MS && this.#hasExpiredLease(agoMs);
  }

  #hasExpiredLease(agoMs: number): boolean {
    return [...(this.#shares?.values() ?? [])].some(
      ({ holder, leasedForMs }) =>
        holder !== null && holder !== this.settings.instance && leasedForMs <= agoMs,
    );
  }
}
