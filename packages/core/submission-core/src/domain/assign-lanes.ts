import type { Felt } from '@sotto/kernel';
import type { Attempt } from './rows.js';

/**
 * Sorts waiting attempts for the lanes: round robin over the contracts that they call, where the
 * contract with fewer attempts in flight comes first; by age within one contract. So the long queue
 * of one pool delays no other pool.
 * @param waiting oldest first
 * @param inFlight attempts that hold a nonce, by called contract
 */
export function inFairOrder<Waiting extends Pick<Attempt, 'target'>>(
  waiting: readonly Waiting[],
  inFlight: ReadonlyMap<Felt, number>,
): readonly Waiting[] {
  const turns = new Map(inFlight);
  return waiting
    .map((attempt, age) => {
      const turn = turns.get(attempt.target.to) ?? 0;
      turns.set(attempt.target.to, turn + 1);
      return { attempt, turn, age };
    })
    .toSorted((a, b) => a.turn - b.turn || a.age - b.age)
    .map(({ attempt }) => attempt);
}

/** Room of a lane for an attempt that it can pay. */
export interface LaneRoom {
  /** Nonces that the lane may still assign. */
  readonly freeSlots: number;
  /** Free nonces below a transaction that could land. An attempt that fills one saves a no-op. */
  readonly gaps: number;
  readonly balanceFri: bigint;
  /** True if the node rejected its last send for a reason of the account. */
  readonly isRefused: boolean;
}

/**
 * Returns the lane for the next attempt. Lanes whose sends are accepted come first, then one with a
 * nonce gap, then the one with the most room, then the richest. Null if no lane has room.
 */
export function chooseLane<Lane extends LaneRoom>(lanes: readonly Lane[]): Lane | null {
  const open = lanes.filter(({ freeSlots }) => freeSlots > 0);
  return (
    open
      .toSorted(
        (a, b) =>
          Number(a.isRefused) - Number(b.isRefused) ||
          hasGap(b) - hasGap(a) ||
          b.freeSlots - a.freeSlots ||
          richerFirst(a, b),
      )
      .at(0) ?? null
  );
}

const hasGap = ({ gaps }: LaneRoom): number => (gaps > 0 ? 1 : 0);

function richerFirst(a: LaneRoom, b: LaneRoom): number {
  if (a.balanceFri === b.balanceFri) return 0;
  return a.balanceFri > b.balanceFri ? -1 : 1;
}
