import { parseEach, type LeaveOut } from '@sotto/http-client';
import type { DailyClose } from '@sotto/dca-core';
import { PricePoint, pricePoints } from './prices.schemas.js';
import { malformedAt, parseAs } from './upstream.js';

const DAY_MS = 86_400_000;

/** Days since 1970-01-01 in UTC, both ends included. */
export interface Days {
  readonly from: number;
  readonly to: number;
}

/** Moment of the read, and the receiver of unusable points. */
export interface ClosesReader {
  readonly nowMs: number;
  readonly leaveOut: LeaveOut;
}

/** Query for one price for each of the days. */
export function closesParams({ from, to }: Days): Readonly<Record<string, string>> {
  return {
    resolution: '1D',
    startDate: new Date(from * DAY_MS).toISOString(),
    endDate: new Date((to + 1) * DAY_MS - 1).toISOString(),
  };
}

/**
 * Closes of those days that have ended, oldest first. A point has the name of the day's beginning
 * and the day's last price; one that begins no day is the price of now, in a day that has not
 * ended. Each point is judged by itself: an unusable one, and a day with several prices, is left
 * out and counted.
 * @param body parsed with `valueUsd` as it was written
 * @throws AggregatorMalformed for no list, and for a list without any readable point
 */
export function toCloses(
  body: unknown,
  { from, to }: Days,
  { nowMs, leaveOut }: ClosesReader,
): readonly DailyClose[] {
  const today = Math.floor(nowMs / DAY_MS);
  const points = parseAs(pricePoints(to - from + 1), body);
  const prices = new Map<number, Set<bigint>>();
  for (const { date, valueUsd } of parseEach(PricePoint, points, { leaveOut, malformedAt })) {
    const day = Math.floor(date / DAY_MS);
    if (day >= today || day < from || day > to || valueUsd === null) continue;
    if (date % DAY_MS !== 0 || valueUsd === 0n) leaveOut('closes no day');
    else prices.set(day, new Set([...(prices.get(day) ?? []), valueUsd]));
  }
  return [...prices]
    .toSorted(([left], [right]) => left - right)
    .flatMap(([day, [usdE8, ...others]]) => {
      if (usdE8 !== undefined && others.length === 0) return [{ day, usdE8 }];
      leaveOut('prices of one day');
      return [];
    });
}
