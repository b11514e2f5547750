import type { Felt } from '@sotto/kernel';
import type { Attempt } from './rows.js';

/**
 * Sorts waiting attempts for the lanes. The called contracts alternate (round robin), and the
 * contract with fewer attempts in flight comes first. Attempts of one contract are ordered by age.
 * The long queue of one pool therefore does not delay other pools.
 * @param waiting waiting attempts, oldest first
 * @param inFlight number of attempts that hold a nonce, by called contract
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

/** Free capacity of a lane that can pay for the attempt. */
export interface LaneRoom {
  /** Number of nonces that the lane may still assign. */
  readonly freeSlots: number;
  /**
   * Number of free nonces below a transaction that could land. An attempt that uses such a nonce
   * saves a no-op.
   */
  readonly gaps: number;
  readonly balanceFri: bigint;
  /** True if the node rejected the lane's last send because of the account. */
  readonly isRefused: boolean;
}

/**
 * Returns the lane for the next attempt. Lanes whose sends are accepted have priority, then lanes
 * with a nonce gap, then lanes with more free slots, then lanes with a higher balance. Null if no
 * lane has a free slot.
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
