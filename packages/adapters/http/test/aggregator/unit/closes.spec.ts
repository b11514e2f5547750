import { describe, expect, it } from '@jest/globals';
import { assert, bigInt, property, uniqueArray, integer } from 'fast-check';
import { parseJsonExactly } from '../../../src/aggregator/json.js';
import { toCloses } from '../../../src/aggregator/translate-closes.js';

const DAY_MS = 86_400_000;
const JAN_1 = Date.UTC(2026, 0, 1) / DAY_MS;
/** Noon of a day that has not ended, in ms. */
const JAN_6_NOON_MS = Date.UTC(2026, 0, 6, 12);
const DAYS = { from: JAN_1, to: JAN_1 + 4 };

const leftOut: string[] = [];

function closes(text: string, days = DAYS): unknown {
  leftOut.length = 0;
  return toCloses(parseJsonExactly(text, 'valueUsd'), days, {
    nowMs: JAN_6_NOON_MS,
    leaveOut: (at) => void leftOut.push(at),
  });
}

const point = (date: string, usd = '100'): string => `{"date":"${date}","valueUsd":${usd}}`;
const list = (...points: readonly string[]): string => `[${points.join()}]`;

describe('toCloses', () => {
  it('reads each day’s closing price with its exact digits, in any notation of the date', () => {
    const text = list(
      point('2026-01-01', '65123.45678900999999'),
      point('2026-01-02T00:00:00Z', '6.4e4'),
      point('2026-01-03T00:00:00.000Z', '0.1'),
    );
    expect(closes(text)).toEqual([
      { day: JAN_1, usdE8: 6_512_345_678_900n },
      { day: JAN_1 + 1, usdE8: 6_400_000_000_000n },
      { day: JAN_1 + 2, usdE8: 10_000_000n },
    ]);
  });

  it('omits days without a closing price from the list of daily closing prices', () => {
    const text = list(point('2026-01-01'), '{"date":"2026-01-02"}', point('2026-01-03', 'null'));
    expect(closes(text)).toEqual([{ day: JAN_1, usdE8: 10n ** 10n }]);
  });

  it('omits today’s prices from the daily closing prices', () => {
    const text = list(
      point('2026-01-05'),
      point('2026-01-06T00:00:00Z'),
      point('2026-01-06T11:59:58.123Z'),
    );
    expect(closes(text, { from: JAN_1, to: JAN_1 + 9 })).toEqual([
      { day: JAN_1 + 4, usdE8: 10n ** 10n },
    ]);
  });

  it('omits closing prices of days that were not requested', () => {
    const text = list(point('2025-12-31'), point('2026-01-01'), point('2026-01-02'));
    expect(closes(text, { from: JAN_1, to: JAN_1 })).toEqual([{ day: JAN_1, usdE8: 10n ** 10n }]);
  });

  it.each<[string, string, string]>([
    ['no JSON', 'NaN', ''],
    ['an HTML page', '<html></html>', ''],
    ['an object', '{}', ''],
    ['a day that is not', list(point('2026-02-30')), '0.date'],
    ['a date without a zone', list(point('2026-01-01T00:00:00')), '0.date'],
    ['a date of another zone', list(point('2026-01-01T00:00:00+02:00')), '0.date'],
    ['a number for a date', '[{"date":1767225600,"valueUsd":1}]', '0.date'],
    ['no date', '[{"valueUsd":1}]', '0.date'],
    ['zero', list(point('2026-01-01', '0')), '0.valueUsd'],
    ['less than zero', list(point('2026-01-01', '-1')), '0.valueUsd'],
    ['what no token costs', list(point('2026-01-01', '1e30')), '0.valueUsd'],
    ['an infinite price', list(point('2026-01-01', '1e999')), '0.valueUsd'],
    ['a text for a price', list(point('2026-01-01', '"1"')), '0.valueUsd'],
    [
      'more points than days',
      list(...Array.from({ length: 9 }, (_, index) => point(`2026-01-0${index + 1}`))),
      '',
    ],
  ])(
    'rejects %s in a list of closing prices, and reports only the path of the invalid value',
    (_what, text, at) => {
      expect(() => closes(text)).toThrow(
        expect.objectContaining({ code: 'AGGREGATOR_MALFORMED', details: { at } }),
      );
    },
  );

  it('T17: omits and counts unusable closing prices, and returns all usable closing prices', () => {
    const text = list(
      point('2026-01-03'),
      point('2026-01-01', '-1'),
      point('2026-01-02T12:00:00Z'),
      point('2026-01-02'),
      point('2026-01-04', '1'),
      point('2026-01-04T00:00:00Z', '2'),
      point('2026-01-05', '1e-9'),
    );
    expect(closes(text)).toEqual([
      { day: JAN_1 + 1, usdE8: 10n ** 10n },
      { day: JAN_1 + 2, usdE8: 10n ** 10n },
    ]);
    expect(leftOut).toEqual(['valueUsd', 'closes no day', 'closes no day', 'prices of one day']);
  });

  it('returns exactly the closing prices that the response contains', () => {
    assert(
      property(
        uniqueArray(integer({ min: 0, max: 200 }), { maxLength: 201 }),
        bigInt({ min: 1n, max: 10n ** 20n }),
        (offsets, usdE8) => {
          const days = offsets.toSorted((a, b) => a - b).map((offset) => JAN_1 - 300 + offset);
          const text = list(
            ...days.map((day) => point(new Date(day * DAY_MS).toISOString(), `${usdE8}e-8`)),
          );
          expect(closes(text, { from: JAN_1 - 300, to: JAN_1 - 100 })).toEqual(
            days.map((day) => ({ day, usdE8 })),
          );
        },
      ),
    );
  });
});
