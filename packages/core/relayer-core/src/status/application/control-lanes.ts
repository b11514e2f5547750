import { CODES_OF } from '@sotto/facts';
import { domainError, type Felt } from '@sotto/kernel';
import type { Ledger, SubmissionEngine } from '@sotto/submission-core';
import type { GetOperatorStatus, OperatedLane } from './get-operator-status.js';

/** Error if no lane has the address. */
export class LaneNotFound extends domainError('LANE_NOT_FOUND') {}

/** Pauses and resumes single lanes for the operator. */
export class ControlLanes {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.laneControl;

  constructor(
    private readonly ledger: Pick<Ledger, 'pauseLane'>,
    private readonly engine: Pick<SubmissionEngine, 'rereadLane'>,
    private readonly operations: Pick<GetOperatorStatus, 'lane'>,
  ) {}

  /**
   * Pauses the lane in all instances and across restarts: it accepts no new work. The service still
   * follows the lane's transactions in flight. Rejects with `LaneNotFound`, or with the error of
   * the store.
   */
  async pause(address: Felt, reason: string): Promise<OperatedLane> {
    return this.#set(address, reason);
  }

  /**
   * Ends the pause of a lane. The lane may have been paused by an operator, or because another
   * program used its account. Rejects with `LaneNotFound`, or with the error of the store.
   */
  async resume(address: Felt): Promise<OperatedLane> {
    return this.#set(address, null);
  }

  async #set(address: Felt, reason: string | null): Promise<OperatedLane> {
    const isKnown = await this.ledger.pauseLane(address, reason);
    if (!isKnown) throw new LaneNotFound();
    // Make the lane reread its row now, so that waiting work continues immediately.
    this.engine.rereadLane(address);
    const lane = await this.operations.lane(address);
    if (lane === null) throw new LaneNotFound();
    return lane;
  }
}
