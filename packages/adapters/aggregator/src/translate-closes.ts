import type { DailyClose } from '@sotto/dca-core';
import { AggregatorMalformed } from './errors.js';
import { pricePoints } from './prices.schemas.js';
import { parseAs } from './upstream.js';

const DAY_MS = 86_400_000;

/** Days since 1970-01-01 in UTC, both ends included. */
export interface Days {
  readonly from: number;
  readonly to: number;
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
 * The closes of those days that have ended. A point has the name of the day's beginning and the
 * day's last price; one that begins no day is the price of now, and stands in a day that has not
 * ended.
 * @param body parsed with `valueUsd` as it was written
 * @throws AggregatorMalformed
 */
export function toCloses(body: unknown, { from, to }: Days, nowMs: number): readonly DailyClose[] {
  const today = Math.floor(nowMs / DAY_MS);
  return parseAs(pricePoints(to - from + 1), body).flatMap(({ date, valueUsd: usdE8 }) => {
    const day = Math.floor(date / DAY_MS);
    if (day >= today) return [];
    if (date % DAY_MS !== 0 || usdE8 === 0n)
      throw new AggregatorMalformed({ message: 'the aggregator has a price that closes no day' });
    return usdE8 === undefined || usdE8 === null || day < from || day > to ? [] : [{ day, usdE8 }];
  });
}
