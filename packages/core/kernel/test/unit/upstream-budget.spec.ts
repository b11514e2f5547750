import { beforeEach, describe, expect, it } from '@jest/globals';
import { Overloaded, UpstreamBudget, type Caller } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

const IN_ALL = 40;
const WINDOW_MS = 10_000;
const callerAt = (address: string): Caller => ({
  name: address,
  networks: [`${address.slice(0, address.lastIndexOf('.'))}.0/24`],
});
/** Addresses of one /24. */
const crowd = (index: number): Caller => callerAt(`203.0.113.${index % 256}`);
/** Addresses of different networks. */
const others = (index: number): Caller => callerAt(`192.0.${index}.1`);
const honest = callerAt('198.51.100.9');

let clock: ManualClock;
let budget: UpstreamBudget;
const spend = (caller: Caller): boolean => {
  try {
    budget.spend(caller);
    return true;
  } catch (error) {
    if (error instanceof Overloaded) return false;
    throw error;
  }
};
const spent = (times: number, callerOf: (index: number) => Caller): number =>
  Array.from({ length: times }, (_, index) => spend(callerOf(index))).filter(Boolean).length;

beforeEach(() => {
  clock = new ManualClock(1_000);
  budget = new UpstreamBudget(IN_ALL, clock);
});

describe('UpstreamBudget', () => {
  it('T9 gives everything to a network that is alone, and no more until the window is over', () => {
    expect(spent(400, crowd)).toBe(IN_ALL);
    clock.advance(WINDOW_MS - 1);
    expect(spend(honest)).toBe(false);
    clock.advance(1);
    expect(spend(honest)).toBe(true);
  });

  it('T9 gives no network more than a quarter while another one waits', () => {
    spent(400, crowd);
    expect(spend(honest)).toBe(false);
    clock.advance(WINDOW_MS);
    spend(honest);
    expect(spent(IN_ALL / 2, others)).toBe(IN_ALL / 2);
    expect(spent(400, crowd)).toBe(IN_ALL / 4);
    expect(spend(honest)).toBe(true);
  });

  it('says when the next request may be made', () => {
    spent(IN_ALL, crowd);
    clock.advance(7_500);
    expect(() => budget.spend(honest)).toThrow(
      expect.objectContaining({ code: 'OVERLOADED', retryAfterSeconds: 3 }),
    );
  });
});
