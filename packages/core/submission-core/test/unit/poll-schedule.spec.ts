import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { PollSchedule, MIN_POLL_DISTANCE_MS } from '../../src/application/engine/poll-schedule.js';

/** Returns a schedule whose last poll was at `atMs` and whose next poll is a second later. */
function scheduleFrom(atMs: number): PollSchedule {
  const looks = new PollSchedule();
  looks.begun(atMs);
  looks.ended(atMs, 1_000);
  return looks;
}

describe('schedule of polls', () => {
  it('the first poll is immediate, and each later poll follows after a pause', () => {
    const looks = new PollSchedule();
    expect(looks.pauseMs(0)).toBe(0);
    looks.begun(0);
    looks.ended(20, 1_000);
    expect(looks.pauseMs(20)).toBe(1_000);
    expect(looks.pauseMs(900)).toBe(120);
    expect(looks.pauseMs(5_000)).toBe(0);
  });

  it('three polls follow a send, timed from the response to the send', () => {
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

  it('a request for a poll can make the next poll earlier, but not later', () => {
    const looks = scheduleFrom(0);
    looks.by(400);
    looks.by(700);
    expect(looks.pauseMs(300)).toBe(100);
  });

  it('a request for a poll that arrives during a poll is not lost', () => {
    const looks = scheduleFrom(0);
    looks.begun(1_000);
    looks.by(1_010);
    looks.ended(1_050, 1_000);
    expect(looks.pauseMs(1_050)).toBe(50);
  });

  it('the polls after a send are cancelled if the node does not answer', () => {
    const looks = scheduleFrom(0);
    looks.sent(0);
    looks.failed();
    expect(looks.pauseMs(0)).toBe(1_000);
  });

  it('the pause after a poll of many transactions is longer, but at most a second', () => {
    expect([0, 50, 51, 200, 800].map(nextAfter)).toEqual([100, 100, 102, 400, 1_000]);
  });

  it('polls begin at least the minimum time apart, for any sequence of sends and pushed messages', () => {
    const event = fc.tuple(fc.constantFrom('sent', 'by'), fc.nat(60));
    const property = fc.property(
      fc.array(event, { maxLength: 200 }),
      (events) => leastDistanceMs(events) >= MIN_POLL_DISTANCE_MS,
    );
    expect(() => fc.assert(property)).not.toThrow();
  });
});

/**
 * Simulates polls that start as early as the schedule allows, and returns the minimum time between
 * two polls. `events` contains sends and requests, each with the delay after the previous event.
 */
function leastDistanceMs(events: readonly (readonly [string, number])[]): number {
  const looks = new PollSchedule();
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

/**
 * Returns the earliest time of the next poll, in ms, after a poll that queries this many
 * transactions.
 */
function nextAfter(transactions: number): number {
  const looks = new PollSchedule();
  looks.begun(0, transactions);
  looks.by(0);
  return looks.pauseMs(0);
}
