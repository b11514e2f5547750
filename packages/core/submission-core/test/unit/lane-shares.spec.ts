import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { array, assert, constantFrom, property, record, subarray } from 'fast-check';
import { lanesToHandOver, mayLease, type LaneShare } from '../../src/domain/lane-shares.js';

const lane = (
  address: number,
  holder: string | null,
  candidates: readonly string[],
  role: LaneShare['role'] = 'relay',
): LaneShare => ({
  address: toFelt(BigInt(address)),
  role,
  holder,
  leasedForMs: holder === null ? 0 : 1_000,
  candidates,
});
const lanes = (count: number, holder: string, candidates: readonly string[]): LaneShare[] =>
  Array.from({ length: count }, (_, index) => lane(index + 1, holder, candidates));

describe('lanesToHandOver', () => {
  it('the holder of all lanes hands half of them to the second instance', () => {
    const handOvers = lanesToHandOver(lanes(8, 'a', ['a', 'b']), 'a');
    expect(handOvers.map(({ to }) => to)).toEqual(['b', 'b', 'b', 'b']);
    expect(lanesToHandOver(lanes(8, 'a', ['a', 'b']), 'b')).toEqual([]);
  });

  it('the lanes of three instances differ by at most one lane', () => {
    const handOvers = lanesToHandOver(lanes(8, 'a', ['a', 'b', 'c']), 'a');
    expect(handOvers.filter(({ to }) => to === 'b')).toHaveLength(3);
    expect(handOvers.filter(({ to }) => to === 'c')).toHaveLength(2);
  });

  it('a lane that only one instance is able to use is never handed over', () => {
    expect(lanesToHandOver(lanes(4, 'a', ['a']), 'a')).toEqual([]);
    expect(lanesToHandOver(lanes(4, 'a', []), 'a')).toEqual([]);
    const mixed = [lane(1, 'a', ['a']), lane(2, 'a', ['a']), lane(3, 'a', ['a', 'b'])];
    expect(lanesToHandOver(mixed, 'a')).toEqual([{ address: toFelt(3n), to: 'b' }]);
  });

  it('an instance that is unable to send hands all its lanes over, even if its share is small', () => {
    const shares = [lane(1, 'a', ['b']), lane(2, 'b', ['b']), lane(3, 'b', ['b'])];
    expect(lanesToHandOver(shares, 'a')).toEqual([{ address: toFelt(1n), to: 'b' }]);
  });

  it('lanes of different roles are shared separately', () => {
    const shares = [
      lane(1, 'a', ['a', 'b'], 'relay'),
      lane(2, 'a', ['a', 'b'], 'swap_owner'),
      lane(3, 'a', ['a', 'b'], 'keeper'),
    ];
    expect(lanesToHandOver(shares, 'a')).toEqual([]);
  });

  it('repeated hand-overs end in fair shares and never give a lane to an instance that is unable', () => {
    const names = ['a', 'b', 'c', 'd'];
    const share = record({
      holder: constantFrom(...names),
      candidates: subarray(names),
    });
    assert(
      property(array(share, { maxLength: 12 }), (drawn) => {
        let shares = drawn.map(({ holder, candidates }, index) =>
          lane(index + 1, holder, candidates),
        );
        let moved = true;
        for (let round = 0; moved && round < 50; round += 1) {
          moved = false;
          for (const name of names) {
            for (const { address, to } of lanesToHandOver(shares, name)) {
              moved = true;
              shares = shares.map((each) => {
                if (each.address !== address) return each;
                expect(each.holder).toBe(name);
                expect(each.candidates).toContain(to);
                return { ...each, holder: to };
              });
            }
          }
        }
        expect(moved).toBe(false);
        const countOf = (name: string): number =>
          shares.filter(({ holder }) => holder === name).length;
        for (const { holder, candidates } of shares)
          for (const name of candidates)
            expect(countOf(holder ?? '') - countOf(name)).toBeLessThan(2);
      }),
    );
  });
});

describe('mayLease', () => {
  it.each([
    ['a free lane without candidates', lane(1, null, []), true],
    ['a free lane on which this instance is able to send', lane(1, null, ['a', 'b']), true],
    ['a free lane on which only another instance is able to send', lane(1, null, ['b']), false],
    ['a lane that was handed to this instance', lane(1, 'a', ['b']), true],
    ['a lane of another instance', lane(1, 'b', ['a', 'b']), false],
  ])('%s may be leased: %#', (_name, share, expected) => {
    expect(mayLease(share, 'a')).toBe(expected);
  });
});
