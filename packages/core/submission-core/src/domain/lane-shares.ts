import type { Felt } from '@sotto/kernel';
import type { LaneRole } from './rows.js';

/** Lane with its holder and with the instances that are able to send on it. */
export interface LaneShare {
  readonly address: Felt;
  readonly role: LaneRole;
  /** Instance whose lease on the lane has not expired; null if there is none. */
  readonly holder: string | null;
  /** Time until the lease of the holder expires, in ms; 0 without a holder. */
  readonly leasedForMs: number;
  /** Instances that have announced that they are able to send on the lane, sorted by name. */
  readonly candidates: readonly string[];
}

/** Lane that an instance should give to another instance. */
export interface HandOver {
  readonly address: Felt;
  readonly to: string;
}

/**
 * Returns the lanes that `instance` should hand over, so that the lanes of each role are shared
 * fairly: no candidate of a lane holds two lanes fewer than the lane's holder. A lane without
 * another candidate is never handed over. An instance that is no candidate of its own lane is
 * unable to send on it, and hands it over even if its share is small.
 */
export function lanesToHandOver(
  lanes: readonly LaneShare[],
  instance: string,
): readonly HandOver[] {
  const roles = new Set(lanes.map(({ role }) => role));
  return [...roles].flatMap((role) =>
    handOversOf(
      lanes.filter((lane) => lane.role === role),
      instance,
    ),
  );
}

function handOversOf(lanes: readonly LaneShare[], instance: string): readonly HandOver[] {
  const held = new Map<string, number>();
  for (const { holder } of lanes)
    if (holder !== null) held.set(holder, (held.get(holder) ?? 0) + 1);
  const countOf = (name: string): number => held.get(name) ?? 0;
  const handOvers: HandOver[] = [];
  const mine = lanes
    .filter(({ holder }) => holder === instance)
    .toSorted(
      (a, b) => Number(a.candidates.includes(instance)) - Number(b.candidates.includes(instance)),
    );
  for (const { address, candidates } of mine) {
    const [to] = candidates
      .filter((name) => name !== instance)
      .toSorted((a, b) => countOf(a) - countOf(b) || (a < b ? -1 : 1));
    if (to === undefined) continue;
    const isAble = candidates.includes(instance);
    if (isAble && countOf(instance) - countOf(to) < 2) continue;
    held.set(instance, countOf(instance) - 1);
    held.set(to, countOf(to) + 1);
    handOvers.push({ address, to });
  }
  return handOvers;
}

/**
 * True if `instance` may lease the lane now: the lane has no holder or is assigned to `instance`
 * already. If other instances are able to send on the lane and `instance` is not, the others lease
 * it.
 */
export function mayLease({ holder, candidates }: LaneShare, instance: string): boolean {
  if (holder !== null) return holder === instance;
  return candidates.length === 0 || candidates.includes(instance);
}
