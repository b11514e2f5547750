import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LookSchedule, MIN_LOOK_DISTANCE_MS } from '../../src/application/engine/look-schedule.js';

/** Returns a schedule that has polled at `atMs`, with the next poll a second later. */
function scheduleFrom(atMs: number): LookSchedule {
  const looks = new LookSchedule();
  looks.begun(atMs);
  looks.ended(atMs, 1_000);
  return looks;
}

describe('schedule of polls', () => {
  it('polls at once for the first time, then after the pause', () => {
    const looks = new LookSchedule();
    expect(looks.pauseMs(0)).toBe(0);
    looks.begun(0);
    looks.ended(20, 1_000);
    expect(looks.pauseMs(20)).toBe(1_000);
    expect(looks.pauseMs(900)).toBe(120);
    expect(looks.pauseMs(5_000)).toBe(0);
  });

  it('polls three times after a send, timed by its answer', () => {
    const looks = scheduleFrom(0);
    looks.sent(230);
    const seen: number[] = [];
    for (let nowMs = 230; seen.length < 4;) {
      nowMs += looks.pauseMs(nowMs);
      seen.push(nowMs);
      looks.begun(nowMs);
      looks.ended(nowMs, 1_000);
    }
    expect(seen).toEqual([360, 480, 740, 1_740]);
  });

  it('polls early on request, and ignores a request for later', () => {
    const looks = scheduleFrom(0);
    looks.by(400);
    looks.by(700);
    expect(looks.pauseMs(300)).toBe(100);
  });

  it('keeps a request that arrives during a poll', () => {
    const looks = scheduleFrom(0);
    looks.begun(1_000);
    looks.by(1_010);
    looks.ended(1_050, 1_000);
    expect(looks.pauseMs(1_050)).toBe(50);
  });

  it('drops the polls after sends to a node that does not answer', () => {
    const looks = scheduleFrom(0);
    looks.sent(0);
    looks.failed();
    expect(looks.pauseMs(0)).toBe(1_000);
  });

  it('leaves more time after a poll of many transactions, and never more than a second', () => {
    expect([0, 50, 51, 200, 800].map(nextAfter)).toEqual([100, 100, 102, 400, 1_000]);
  });

  it('begins two polls at least the minimum distance apart, for any sends and pushes', () => {
    const event = fc.tuple(fc.constantFrom('sent', 'by'), fc.nat(60));
    const property = fc.property(
      fc.array(event, { maxLength: 200 }),
      (events) => leastDistanceMs(events) >= MIN_LOOK_DISTANCE_MS,
    );
    expect(() => fc.assert(property)).not.toThrow();
  });
});

/**
 * Returns the least time between polls that begin as early as allowed, for these delays between
 * events.
 */
function leastDistanceMs(events: readonly (readonly [string, number])[]): number {
  const looks = new LookSchedule();
  const begunMs: number[] = [];
  let nowMs = 0;
  for (const [kind, afterMs] of events) {
    nowMs += afterMs;
    if (looks.pauseMs(nowMs) === 0) {
      looks.begun(nowMs);
      looks.ended(nowMs, 500);
      begunMs.push(nowMs);
    }
    if (kind === 'sent') looks.sent(nowMs);
    else looks.by(nowMs);
  }
  return Math.min(Infinity, ...begunMs.slice(1).map((atMs, index) => atMs - (begunMs[index] ?? 0)));
}

/** Returns the earliest time of the next poll after one that queries this many transactions. */
function nextAfter(transactions: number): number {
  const looks = new LookSchedule();
  looks.begun(0, transactions);
  looks.by(0);
  return looks.pauseMs(0);
}
