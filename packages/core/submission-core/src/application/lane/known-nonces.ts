import type { Felt } from '@sotto/kernel';
import { afterWrite } from '../../domain/open-nonces.js';
import type { OpenNonce } from '../../domain/rows.js';
import type { CommandResult, Ledger } from '../../ports/ledger.port.js';
import type { LaneLease } from './lane-lease.js';

/**
 * The open nonces of a lane as this process knows them while it holds the lane: read once, and
 * brought up to date by its own writes, since nothing else writes to them under this fence. Says
 * only what may be offered and what is worth a try; whether it may be written is judged on the rows
 * of the write. A refused command, a failing store and another fence end it.
 */
export class KnownNonces {
  #open: readonly OpenNonce[] | null = null;
  /** Under which they were read. */
  #fence: bigint | null = null;
  #begunWrites = 0;
  #writesUnderWay = 0;

  constructor(
    private readonly lane: Felt,
    private readonly ledger: Pick<Ledger, 'openNonces'>,
    private readonly lease: Pick<LaneLease, 'fence'>,
  ) {}

  /** Lowest first; read only where they are not known. */
  async open(): Promise<readonly OpenNonce[]> {
    if (this.#fence !== this.lease.fence) this.drop();
    return this.#open ?? this.read();
  }

  /** Lowest first, as the store has them now. */
  async read(): Promise<readonly OpenNonce[]> {
    const { fence } = this.lease;
    const begunWrites = this.#begunWrites;
    const isQuiet = this.#writesUnderWay === 0;
    try {
      const open = await this.ledger.openNonces(this.lane);
      // Beside a write it is not known which of both the rows show.
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

  /** Every write to the lane of this process. */
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
