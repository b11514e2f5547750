/** What a lane has to offer to an attempt that it can pay. */
export interface LaneRoom {
  /** Nonces that it may still give away. */
  readonly freeSlots: number;
  /** Free nonces below something that could land: filled by an attempt they cost no no-op. */
  readonly gaps: number;
  readonly balanceFri: bigint;
}

/**
 * The lane that should take the next attempt: one with a nonce gap before all others, else the one
 * with most room, else the richest. Null without room.
 */
export function chooseLane<Lane extends LaneRoom>(lanes: readonly Lane[]): Lane | null {
  const open = lanes.filter(({ freeSlots }) => freeSlots > 0);
  return (
    open
      .toSorted((a, b) => hasGap(b) - hasGap(a) || b.freeSlots - a.freeSlots || richerFirst(a, b))
      .at(0) ?? null
  );
}

const hasGap = ({ gaps }: LaneRoom): number => (gaps > 0 ? 1 : 0);

function richerFirst(a: LaneRoom, b: LaneRoom): number {
  if (a.balanceFri === b.balanceFri) return 0;
  return a.balanceFri > b.balanceFri ? -1 : 1;
}
