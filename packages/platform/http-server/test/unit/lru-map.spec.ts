import { describe, expect, it } from '@jest/globals';
import { LruMap } from '../../src/lru-map.js';

describe('a bounded map', () => {
  it('LruMap evicts the entry that was set least recently if it exceeds its maximum size', () => {
    const map = new LruMap<number>(100);
    for (let index = 0; index < 10_000; index += 1) map.set(`key ${index}`, index);
    expect(map.size).toBe(100);
    expect([map.get('key 9899'), map.get('key 9900'), map.get('key 9999')]).toEqual([
      undefined,
      9_900,
      9_999,
    ]);
  });

  it('LruMap treats an entry that is set again as the newest entry', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('b', 1);
    map.set('a', 2);
    map.set('c', 1);
    expect([map.size, map.get('a'), map.get('b'), map.get('c')]).toEqual([2, 2, undefined, 1]);
  });
});
