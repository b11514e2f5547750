import { parseEach, type LeaveOut } from '@sotto/http-client';
import type { DailyClose } from '@sotto/dca-core';
import { PricePoint, pricePoints } from './prices.schemas.js';
import { malformedAt, parseAs } from './upstream.js';

const DAY_MS = 86_400_000;

/** Range of days since 1970-01-01 in UTC, including both ends. */
export interface Days {
  readonly from: number;
  readonly to: number;
}

/** Time of the read, and the callback that is called for each unusable point. */
export interface ClosesReader {
  readonly nowMs: number;
  readonly leaveOut: LeaveOut;
}

/** Returns the query parameters for one price per day. */
export function closesParams({ from, to }: Days): Readonly<Record<string, string>> {
  return {
    resolution: '1D',
    startDate: new Date(from * DAY_MS).toISOString(),
    endDate: new Date((to + 1) * DAY_MS - 1).toISOString(),
  };
}

/**
 * Returns the closing prices of the completed days, oldest first. A point is dated at the day's
 * beginning and has the day's last price. A point that is not at a day's beginning is the current
 * price of an incomplete day. Each point is checked separately: unusable points, and days with
 * several prices, are omitted and counted.
 * @param body parsed response with the exact digits of `valueUsd`
 * @throws AggregatorMalformed if the body is no list or the list has no readable point
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
