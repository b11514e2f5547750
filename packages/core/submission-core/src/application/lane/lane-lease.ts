import type { Clock, Logger } from '@sotto/kernel';
import type { Ledger } from '../../ports/ledger.port.js';
import type { FairLanes } from './fair-lanes.js';
import type { Alarms } from './lane-status.js';
import type { LaneIdentity } from '../settings.js';

/** Lease of this instance on one lane, with its fence. */
export class LaneLease {
  #fence: bigint | null = null;
  #heldSinceMs = 0;
  /** True if another instance got the lane before the last lease of this instance could expire. */
  #wasLostEarly = false;

  constructor(
    private readonly lane: LaneIdentity,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly alarms: Pick<Alarms, 'sharedInstanceIds'>,
    private readonly shares: Pick<FairLanes, 'mayLease' | 'expire'>,
    private readonly settings: {
      readonly instance: string;
      readonly leaseTtlMs: number;
      /** Called when another holder has leased the lane. */
      readonly onLost?: () => void;
    },
  ) {}

  /** Fence of the lease; null if this instance has no lease on the lane. */
  get fence(): bigint | null {
    return this.#fence;
  }

  /**
   * Leases the lane if no other instance holds it, or renews the lease once a third of its duration
   * has passed.
   */
  async hold(): Promise<bigint | null> {
    const { instance, leaseTtlMs } = this.settings;
    const { address, role, isLeftToOthers = false } = this.lane;
    if (isLeftToOthers) return null;
    const nowMs = this.clock.monotonicMs();
    const before = this.#fence;
    if (before !== null) {
      if (nowMs - this.#heldSinceMs < leaseTtlMs / 3) return before;
      if (await this.ledger.renew(address, instance, before, leaseTtlMs)) {
        if (this.#fence === before) this.#heldSinceMs = nowMs;
        return this.#fence;
      }
      this.lost(before);
    }
    // One read for all lanes shows which lanes other instances hold.
    if (!this.shares.mayLease(address)) return null;
    await this.ledger.registerLane(address, role);
    const lane = await this.ledger.lease(address, instance, leaseTtlMs);
    // A hand-over must not be decided on shares from before this lease.
    this.shares.expire();
    const wasLostEarly = this.#wasLostEarly;
    this.#wasLostEarly = false;
    if (lane === null) return null;
    if (wasLostEarly) this.#nameIsShared();
    this.#fence = lane.fence;
    this.#heldSinceMs = nowMs;
    this.logger.info({ lane: address, fence: String(lane.fence) }, 'lane leased');
    return this.#fence;
  }

  /**
   * Ends the lease because a write under this fence was rejected: another process has leased the
   * lane. A rejection for the fence of an older lease is ignored.
   */
  lost(fence: bigint): void {
    if (this.#fence !== fence) return;
    this.logger.warn(
      { lane: this.lane.address, fence: String(fence) },
      'lane lost to another holder',
    );
    this.#fence = null;
    this.#wasLostEarly = this.clock.monotonicMs() - this.#heldSinceMs < this.settings.leaseTtlMs;
    this.shares.expire();
    this.settings.onLost?.();
  }

  /**
   * Gives the lane to another instance. Returns false if this instance no longer holds the lane. If
   * the ledger can't answer, this instance writes nothing more under its fence, and leases the lane
   * again if the lane is still assigned to it.
   */
  async handOver(to: string): Promise<boolean> {
    if (this.#fence === null) return false;
    const fence = this.#fence;
    const { instance, leaseTtlMs, onLost } = this.settings;
    this.#fence = null;
    this.shares.expire();
    onLost?.();
    return this.ledger.handOver(this.lane.address, instance, fence, to, leaseTtlMs);
  }

  async giveBack(): Promise<void> {
    if (this.#fence === null) return;
    const fence = this.#fence;
    this.#fence = null;
    await this.ledger.unlease(this.lane.address, this.settings.instance, fence);
  }

  /**
   * Reports that two processes have the same instance name. Only a second process with this name
   * can replace an unexpired lease, or lease the lane again before the new lease expires.
   */
  #nameIsShared(): void {
    const { instance } = this.settings;
    this.alarms.sharedInstanceIds += 1;
    this.logger.error(
      { lane: this.lane.address, instance },
      'another process uses the same INSTANCE_ID: the two repeatedly lease the lane from each other',
    );
  }
}
