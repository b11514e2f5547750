import type { Felt } from '@sotto/kernel';
import type { Attempt } from './rows.js';

/**
 * Waiting attempts in the order in which lanes take them: round robin over the contracts that they
 * call, where the contract with fewer in flight comes first; within one contract by age. So the
 * long queue of one pool holds up no other pool.
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

/** What a lane has to offer to an attempt that it can pay. */
export interface LaneRoom {
  /** Nonces that it may still give away. */
  readonly freeSlots: number;
  /** Free nonces below something that could land: filled by an attempt they cost no no-op. */
  readonly gaps: number;
  readonly balanceFri: bigint;
  /** True if the node refused its last send for a reason of the account. */
  readonly isRefused: boolean;
}

/**
 * Returns the lane that should take the next attempt: one whose sends are accepted before all
 * others, then one with a nonce gap, then the one with most room, then the richest. Null without
 * room.
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
