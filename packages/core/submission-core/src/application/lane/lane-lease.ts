import type { Clock, Logger } from '@sotto/kernel';
import type { Ledger } from '../../ports/ledger.port.js';
import type { Alarms } from './lane-status.js';
import type { LaneIdentity } from '../settings.js';

/** This instance's hold on one lane: its fence while it has it. */
export class LaneLease {
  #fence: bigint | null = null;
  #heldSinceMs = 0;
  /** The last hold ended before it could have run out. */
  #wasLostEarly = false;

  constructor(
    private readonly lane: LaneIdentity,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly alarms: Pick<Alarms, 'sharedInstanceIds'>,
    private readonly settings: {
      readonly instance: string;
      readonly leaseTtlMs: number;
      /** Another holder has the lane. */
      readonly onLost?: () => void;
    },
  ) {}

  /** Null when another instance holds the lane. */
  get fence(): bigint | null {
    return this.#fence;
  }

  /** Takes the lane, or prolongs the hold on it when a third of the lease has passed. */
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
    await this.ledger.registerLane(address, role);
    const lane = await this.ledger.lease(address, instance, leaseTtlMs);
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
   * A write under this fence was refused: another process has the lane. An answer about an older
   * hold changes nothing.
   */
  lost(fence: bigint): void {
    if (this.#fence !== fence) return;
    this.logger.warn(
      { lane: this.lane.address, fence: String(fence) },
      'lane lost to another holder',
    );
    this.#fence = null;
    this.#wasLostEarly = this.clock.monotonicMs() - this.#heldSinceMs < this.settings.leaseTtlMs;
    this.settings.onLost?.();
  }

  async giveBack(): Promise<void> {
    if (this.#fence === null) return;
    const fence = this.#fence;
    this.#fence = null;
    await this.ledger.unlease(this.lane.address, this.settings.instance, fence);
  }

  /**
   * A hold that has not run out is taken only by who has its name, and one that was taken is had
   * back at once only under the taker's name.
   */
  #nameIsShared(): void {
    const { instance } = this.settings;
    this.alarms.sharedInstanceIds += 1;
    this.logger.error(
      { lane: this.lane.address, instance },
      'another process works under the same INSTANCE_ID: they take the lane from each other',
    );
  }
}
