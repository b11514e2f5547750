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
