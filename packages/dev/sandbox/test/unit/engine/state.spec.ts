import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { History, Overlay, type StateReader } from '../../../src/engine/state.js';

const slot = fc.record({ address: fc.bigInt(0n, 2n), key: fc.constantFrom('a', 'b') });
const write = fc.record({ slot, value: fc.bigInt(0n, 9n) });
const SLOTS = [0n, 1n, 2n].flatMap((address) => ['a', 'b'].map((key) => ({ address, key })));

function snapshot(state: StateReader): string {
  return JSON.stringify(
    SLOTS.map(({ address, key }) => [
      state.storage(address, key).toString(),
      state.nonce(address).toString(),
    ]),
  );
}

describe('Overlay', () => {
  it('an overlay returns its own write, or else the value of its parent', () => {
    fc.assert(
      fc.property(fc.array(write), fc.array(write), (below, above) => {
        const parent = new Overlay(new History().at(0));
        for (const { slot: at, value } of below) parent.setStorage(at.address, at.key, value);
        const before = snapshot(parent);
        const overlay = new Overlay(parent);
        const expected = new Map(
          below.concat(above).map(({ slot: at, value }) => [`${at.address}/${at.key}`, value]),
        );
        for (const { slot: at, value } of above) overlay.setStorage(at.address, at.key, value);
        expect(snapshot(parent)).toBe(before);
        for (const { address, key } of SLOTS)
          expect(overlay.storage(address, key)).toBe(expected.get(`${address}/${key}`) ?? 0n);
        overlay.mergeInto(parent);
        expect(snapshot(parent)).toBe(snapshot(overlay));
      }),
    );
  });

  it('an overlay stores nonces separately from storage, and counts only changed slots', () => {
    const overlay = new Overlay(new History().at(0));
    overlay.setNonce(1n, 5n);
    overlay.setStorage(1n, 'a', 0n);
    overlay.setStorage(1n, 'b', 3n);
    expect([overlay.nonce(1n), overlay.storage(1n, 'a'), overlay.countChangedSlots()]).toEqual([
      5n,
      0n,
      1,
    ]);
  });
});

describe('History', () => {
  it('the history contains the state after every block except undone blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(write), { minLength: 1, maxLength: 6 }),
        fc.nat(6),
        fc.array(write),
        (blocks, keep, replacement) => {
          const history = new History();
          const after: string[] = [];
          const close = (number: number, writes: typeof replacement): string => {
            const overlay = new Overlay(history.at(number - 1));
            for (const { slot: at, value } of writes) overlay.setStorage(at.address, at.key, value);
            const expected = snapshot(overlay);
            overlay.commit(history, number);
            return expected;
          };
          blocks.forEach((writes, number) => after.push(close(number, writes)));
          after.forEach((expected, number) => expect(snapshot(history.at(number))).toBe(expected));

          const newest = Math.min(keep, blocks.length - 1);
          history.truncate(newest);
          after
            .slice(0, newest + 1)
            .forEach((expected, number) => expect(snapshot(history.at(number))).toBe(expected));
          expect(snapshot(history.at(newest + 1))).toBe(after[newest]);
          const replaced = close(newest + 1, replacement);
          expect(snapshot(history.at(newest + 1))).toBe(replaced);
        },
      ),
    );
  });

  it('an adjustment changes the value of a storage slot by the same amount in all blocks', () => {
    const history = new History();
    history.write(2, { address: 1n, key: 'a', value: 10n });
    history.adjust(1n, 'a', 3n);
    expect([0, 1, 2, 3].map((number) => history.at(number).storage(1n, 'a'))).toEqual([
      3n,
      3n,
      13n,
      13n,
    ]);
    history.truncate(1);
    expect(history.at(5).storage(1n, 'a')).toBe(3n);
  });
});
