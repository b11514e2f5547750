import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Cached } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

const FRESH_MS = 10;
const STALE_MS = 30;
const MAX_ENTRIES = 2;
const KEYS = ['a', 'b', 'c'] as const;
type Key = (typeof KEYS)[number];
const VERSIONS = [1, 2] as const;
type Version = (typeof VERSIONS)[number];

const key = fc.constantFrom(...KEYS);
const version = fc.constantFrom(...VERSIONS);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('get' as const), key, version }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      read: fc.nat(5),
      fails: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(15) }) },
  fc.record({ do: fc.constant('set the clock' as const), ms: fc.integer({ min: -99, max: 99 }) }),
  fc.record({ do: fc.constant('delete' as const), key }),
  fc.record({ do: fc.constant('clear' as const) }),
);

interface Read {
  /**
   * Number of the read, which is also the result of the read. A read that starts later has a higher
   * number.
   */
  readonly number: number;
  readonly key: Key;
  readonly version: Version;
  readonly startedAtMs: number;
  readonly resolve: (read: Read) => void;
  readonly reject: (error: Error) => void;
}

describe('Cached under any order of reads, failures, invalidations and clocks', () => {
  it('returns no cached value that is expired, invalidated or older than an earlier result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = new ManualClock();
        const cache = new Cached<Read>({
          clock,
          freshMs: FRESH_MS,
          staleMs: STALE_MS,
          maxEntries: MAX_ENTRIES,
        });
        const open: Read[] = [];
        let reads = 0;
        /** Lowest number of a read that was not invalidated by `delete` or `clear`, by key. */
        const floor: Record<Key, number> = { a: 1, b: 1, c: 1 };
        const newest: Record<Key, number> = { a: 0, b: 0, c: 0 };
        const read = (of: Key, as: Version) => async (): Promise<Read> =>
          new Promise((resolve, reject) => {
            const readsOf = open.filter((other) => other.key === of && other.version === as);
            // Only one read of a key runs at a time. Reads that started before an invalidation are
            // an exception.
            expect(readsOf.every(({ number }) => number < floor[of])).toBe(true);
            reads += 1;
            open.push({
              number: reads,
              key: of,
              version: as,
              startedAtMs: clock.monotonicMs(),
              resolve,
              reject,
            });
          });
        const check = (of: Key): void => {
          const ofVersions = VERSIONS.flatMap((as) => cache.peek(of, as) ?? []);
          expect(ofVersions.length).toBeLessThanOrEqual(1);
          const [cached] = ofVersions;
          if (cached === undefined) return;
          expect([cached.key, cache.peek(of, cached.version)]).toEqual([of, cached]);
          expect(cached.number).toBeGreaterThanOrEqual(Math.max(floor[of], newest[of]));
          expect(clock.monotonicMs() - cached.startedAtMs).toBeLessThan(STALE_MS);
          newest[of] = cached.number;
        };
        /**
         * Requests a value. Checks that a cached value is returned immediately, and that a fresh
         * value is not read again.
         */
        const get = async (of: Key, as: Version): Promise<void> => {
          const before = cache.peek(of, as);
          const isFresh =
            before !== undefined && clock.monotonicMs() - before.startedAtMs < FRESH_MS;
          const startedBefore = reads;
          let answer: Read | undefined;
          cache.get(of, read(of, as), as).then(
            (value) => (answer = value),
            () => undefined,
          );
          await new Promise(setImmediate);
          expect([answer, isFresh && reads > startedBefore]).toEqual([before, false]);
        };
        for (const one of steps) {
          if (one.do === 'get') await get(one.key, one.version);
          else if (one.do === 'end') {
            const [ended] = open.splice(one.read % Math.max(1, open.length), 1);
            if (ended !== undefined && one.fails) ended.reject(new Error('the source is down'));
            else ended?.resolve(ended);
            await new Promise(setImmediate);
          } else if (one.do === 'pass') clock.advance(one.ms);
          else if (one.do === 'set the clock') clock.step(one.ms);
          else {
            for (const of of one.do === 'clear' ? KEYS : [one.key]) floor[of] = reads + 1;
            if (one.do === 'clear') cache.clear();
            else cache.delete(one.key);
          }
          for (const of of KEYS) check(of);
          const cached = KEYS.filter((of) => VERSIONS.some((as) => cache.peek(of, as)));
          expect(cached.length).toBeLessThanOrEqual(MAX_ENTRIES);
        }
      }),
      { numRuns: 300 },
    );
  });
});
