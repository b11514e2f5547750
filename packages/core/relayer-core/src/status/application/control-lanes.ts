import { CODES_OF } from '@sotto/facts';
import { domainError, type Felt } from '@sotto/kernel';
import type { Ledger, SubmissionEngine } from '@sotto/submission-core';
import type { GetOperatorStatus, OperatedLane } from './get-operator-status.js';

/** No lane of this address. */
export class LaneNotFound extends domainError('LANE_NOT_FOUND') {}

/** The operator's hand on single accounts. */
export class ControlLanes {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.laneControl;

  constructor(
    private readonly ledger: Pick<Ledger, 'pauseLane'>,
    private readonly engine: Pick<SubmissionEngine, 'rereadLane'>,
    private readonly operations: Pick<GetOperatorStatus, 'lane'>,
  ) {}

  /**
   * The account takes nothing new from now on, in any instance and over restarts; what it has in
   * flight is followed. Rejects with `LaneNotFound`, and with the error of the store.
   */
  async pause(address: Felt, reason: string): Promise<OperatedLane> {
    return this.#set(address, reason);
  }

  /**
   * Ends a pause, an operator's or one that a foreign transaction has brought. Rejects as `pause`
   * does.
   */
  async resume(address: Felt): Promise<OperatedLane> {
    return this.#set(address, null);
  }

  async #set(address: Felt, reason: string | null): Promise<OperatedLane> {
    const isKnown = await this.ledger.pauseLane(address, reason);
    if (!isKnown) throw new LaneNotFound();
    // The lane looks at its row again, and takes what waits.
    this.engine.rereadLane(address);
    const lane = await this.operations.lane(address);
    if (lane === null) throw new LaneNotFound();
    return lane;
  }
}
