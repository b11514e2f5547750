import { describe, expect, it } from '@jest/globals';
import { BoundedRateStore } from '../../src/index.js';

describe('the store of rate limits', () => {
  it('the store of rate limits removes the oldest client if it exceeds its maximum size', () => {
    const store = new BoundedRateStore(100, 60_000);
    for (let client = 0; client < 10_000; client += 1) store.increment(`client ${client}`);
    expect(store.size).toBe(100);
    expect(store.increment('client 9999')).toBe(2);
    expect(store.increment('client 1')).toBe(1);
    expect(store.size).toBe(100);
  });

  it('the rate limit window of a client begins with its first request', () => {
    let nowMs = 1_000;
    const store = new BoundedRateStore(10, 60_000, () => nowMs);
    expect(store.increment('a')).toBe(1);
    nowMs = 60_999;
    expect(store.increment('a')).toBe(2);
    expect(store.secondsLeft('a')).toBe(1);
    nowMs = 61_000;
    expect(store.increment('a')).toBe(1);
    expect(store.secondsLeft('a')).toBe(60);
  });

  it('the store of rate limits removes expired windows when a new window begins', () => {
    let nowMs = 0;
    const store = new BoundedRateStore(10, 60_000, () => nowMs);
    for (const client of ['a', 'b', 'c']) store.increment(client);
    nowMs = 60_000;
    store.increment('d');
    expect(store.size).toBe(1);
  });
});
