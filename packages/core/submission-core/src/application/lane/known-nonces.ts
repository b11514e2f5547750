import type { Felt } from '@sotto/kernel';
import { afterWrite } from '../../domain/open-nonces.js';
import type { OpenNonce } from '../../domain/rows.js';
import type { CommandResult, Ledger } from '../../ports/ledger.port.js';
import type { LaneLease } from './lane-lease.js';

/**
 * Open nonces of a lane in memory while this process holds it. The process reads them once and
 * updates them by its own writes, since no other process writes under this fence.
 *
 * The copy in memory decides only which nonce to try; each write is judged on the stored rows. A
 * rejected command, a failing store or another fence drops them.
 */
export class KnownNonces {
  #open: readonly OpenNonce[] | null = null;
  /** Fence under which they were read. */
  #fence: bigint | null = null;
  #begunWrites = 0;
  #writesUnderWay = 0;

  constructor(
    private readonly lane: Felt,
    private readonly ledger: Pick<Ledger, 'openNonces'>,
    private readonly lease: Pick<LaneLease, 'fence'>,
  ) {}

  /** Returns the open nonces, lowest first. Reads the store only if they are unknown. */
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
      // A read during a write may or may not contain it.
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

  /** Runs a write of this process to the lane. Every write passes here. */
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
