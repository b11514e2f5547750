import type { Felt } from '@sotto/kernel';
import { afterWrite } from '../../domain/open-nonces.js';
import type { OpenNonce } from '../../domain/rows.js';
import type { CommandResult, Ledger } from '../../ports/ledger.port.js';
import type { LaneLease } from './lane-lease.js';

/**
 * Open nonces of a lane, in memory while this process has the lease. The process reads the nonces
 * once and updates them by its own writes, because no other process writes under this fence.
 *
 * The copy in memory decides only which nonce to try; each write is checked against the stored
 * rows. The copy is dropped after a rejected command, a failure of the store, or a change of the
 * fence.
 */
export class KnownNonces {
  #open: readonly OpenNonce[] | null = null;
  /** Fence under which the nonces were read. */
  #fence: bigint | null = null;
  #begunWrites = 0;
  #writesUnderWay = 0;

  constructor(
    private readonly lane: Felt,
    private readonly ledger: Pick<Ledger, 'openNonces'>,
    private readonly lease: Pick<LaneLease, 'fence'>,
  ) {}

  /**
   * Returns the open nonces, lowest first. Reads the store only if the nonces are not in memory.
   */
  async open(): Promise<readonly OpenNonce[]> {
    if (this.#fence !== this.lease.fence) this.drop();
    return this.#open ?? this.read();
  }

  /** Reads the open nonces from the store, lowest first. */
  async read(): Promise<readonly OpenNonce[]> {
    const { fence } = this.lease;
    const begunWrites = this.#begunWrites;
    const isQuiet = this.#writesUnderWay === 0;
    try {
      const open = await this.ledger.openNonces(this.lane);
      // A read that overlaps a write may or may not contain that write, so do not store its result.
      if (fence !== null && isQuiet && begunWrites === this.#begunWrites) {
        this.#open = open;
        this.#fence = fence;
      }
      return open;
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  /**
   * Runs a write of this process to the lane. Every write to the lane must go through this method.
   */
  async during(write: () => Promise<CommandResult>): Promise<CommandResult> {
    this.#begunWrites += 1;
    this.#writesUnderWay += 1;
    try {
      const result = await write();
      this.#open =
        result.applied && this.#open !== null
          ? afterWrite(this.#open, this.lane, result.written)
          : null;
      return result;
    } catch (error) {
      this.drop();
      throw error;
    } finally {
      this.#writesUnderWay -= 1;
    }
  }

  drop(): void {
    this.#open = null;
  }
}
