import type { Streams } from './random.js';
import { HAPPENINGS, names, type HappeningKind, type Weather } from './weather.js';

/**
 * Event of the simulated world at a given time, such as a crash or a rollback. The numbers in
 * `dice` decide which process or node is affected and how strongly.
 */
export interface Happening {
  readonly index: number;
  readonly atMs: number;
  readonly kind: HappeningKind;
  readonly dice: readonly [number, number, number];
}

/**
 * Draws the events of a run. The frequency of the events depends on the weather, which is the set
 * of fault severities.
 */
export function drawHappenings(
  streams: Streams,
  weather: Weather,
  durationMs: number,
): Happening[] {
  const all: Happening[] = [];
  for (const kind of names(HAPPENINGS)) {
    const random = streams.of(`happenings/${kind}`);
    const perMinute = HAPPENINGS[kind] * weather[kind];
    if (perMinute === 0) continue;
    let atMs = 0;
    for (;;) {
      atMs += (-Math.log(1 - random.next()) * 60_000) / perMinute;
      if (atMs > durationMs) break;
      all.push({ index: 0, atMs, kind, dice: [random.next(), random.next(), random.next()] });
    }
  }
  return all
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((happening, index) => ({ ...happening, index }));
}
