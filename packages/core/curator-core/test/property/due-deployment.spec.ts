import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  dueDeployment,
  settledSats,
  withSighting,
  type Sighting,
} from '../../src/domain/due-deployment.js';

const sats = fc.bigInt(0n, 10n ** 10n);
const sightings = fc.array(
  fc.record({ sats: fc.bigInt(0n, 5n), timestamp: fc.integer({ min: 0, max: 200 }) }),
);
const settleTime = fc.integer({ min: 1, max: 60 });
const longestGap = fc.integer({ min: 1, max: 60 });

describe('due deployments', () => {
  it('a deployment never exceeds the lowest idle balance within the required idle time', () => {
    fc.assert(
      fc.property(sightings, settleTime, longestGap, (all, settleSeconds, longestGapSeconds) => {
        const sorted = all.toSorted((a, b) => a.timestamp - b.timestamp);
        let seen: readonly Sighting[] = [];
        for (const next of sorted)
          seen = withSighting(seen, next, { settleSeconds, longestGapSeconds });
        const settled = settledSats(seen, settleSeconds);
        if (settled === null) return;
        const [oldest] = seen;
        const since = sorted.filter(({ timestamp }) => timestamp >= (oldest?.timestamp ?? 0));
        for (const [index, { timestamp }] of since.entries())
          expect(timestamp - (since[index - 1]?.timestamp ?? timestamp)).toBeLessThanOrEqual(
            longestGapSeconds,
          );
        // If one block was read several times, only the first result is used.
        expect(seen.every((each) => each.sats >= settled)).toBe(true);
        expect((seen.at(-1)?.timestamp ?? 0) - (oldest?.timestamp ?? 0)).toBeGreaterThanOrEqual(
          settleSeconds,
        );
      }),
    );
  });

  it('ignores a balance unless its block is newer than the block of the last balance', () => {
    fc.assert(
      fc.property(sightings, sightings, settleTime, (first, late, settleSeconds) => {
        const limits = { settleSeconds, longestGapSeconds: 60 };
        let seen: readonly Sighting[] = [];
        for (const next of first) seen = withSighting(seen, next, limits);
        const newest = seen.at(-1)?.timestamp ?? Infinity;
        for (const old of late.filter(({ timestamp }) => timestamp <= newest))
          expect(seen.length === 0 || withSighting(seen, old, limits) === seen).toBe(true);
      }),
    );
  });

  it('a due deployment exceeds no limit and is worth its gas cost', () => {
    fc.assert(
      fc.property(
        sats,
        sats,
        sats,
        sats,
        sats,
        sats,
        sats,
        (idle, settled, cost, today, thresholdSats, maxSatsPerCall, maxSatsPerDay) => {
          const facts = {
            idleSats: idle + settled,
            settledSats: settled,
            costSats: cost,
            deployedTodaySats: today,
          };
          const limits = { thresholdSats, costFactor: 3n, maxSatsPerCall, maxSatsPerDay };
          const due = dueDeployment(facts, limits);
          if ('reason' in due) return;
          const { amountSats } = due;
          expect(amountSats > 0n && amountSats <= settled && amountSats <= maxSatsPerCall).toBe(
            true,
          );
          expect(amountSats + today <= maxSatsPerDay).toBe(true);
          expect(amountSats >= thresholdSats && amountSats >= 3n * cost).toBe(true);
        },
      ),
    );
  });
});
